import { defineTool } from 'capstan/kit';
import type { OrderEntryWorkflowResult } from '../agent-results/order-entry-workflow-result.ts';
import { reviewerAgentOutputSchema } from '../agent-results/reviewer-agent-output.ts';
import { findUnusableLines } from '../order-draft/find-unusable-lines.ts';
import { SaveOrUpdateOrderDraftParamsSchema } from '../order-draft/order-draft.schema.ts';
import { stageOrderDraft } from '../order-draft/stage-order-draft.ts';
import { applyReview } from '../review/apply-review.ts';
import { readKnownItems } from '../search/read-known-items.ts';
import { composeReport } from '../workflow/compose-report.ts';

/**
 * Saves a draft without asking the model for corrections. Lines with review findings, and lines that cannot be ordered, are
 * left to a person. Returns the report of the order.
 */
export const saveReviewedOrderDraftTool = defineTool({
  name: 'save_reviewed_order_draft',
  description:
    'Saves a reviewed order as a draft for a person to confirm and answers its report. Lines that the review names, or ' +
    'that cannot be ordered, are left to that person.',
  effect: 'idempotent',
  input: SaveOrUpdateOrderDraftParamsSchema.extend({ review: reviewerAgentOutputSchema }),
  limits: { timeoutMs: 15_000 },
  run: async ({ review, ...draft }, context): Promise<OrderEntryWorkflowResult> => {
    const { database, tenantId, bake } = context;
    const reviewed = applyReview(draft, review.findings);
    const known = await readKnownItems(database, tenantId, reviewed.order_info);
    const unusable = findUnusableLines(reviewed, known);
    const params = applyReview(
      reviewed,
      unusable.map(({ line, reason }) => ({ line, problem: `${reason}.` })),
    );
    const { id, payload } = await stageOrderDraft(context, params);
    const outputReport = composeReport({ id, customerName: params.customer_name, payload, review });
    bake({ outputReport });
    const { readyLines, openLines } = outputReport;
    return { message: `The report is written: ${readyLines} lines ready, ${openLines} open.`, outputReport };
  },
});
