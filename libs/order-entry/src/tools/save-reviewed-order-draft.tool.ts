import { defineTool, type ToolDefinition } from '#libs/tooling';
import type { EntityManager } from 'typeorm';
import { reportReturn } from '../agent-results/order-entry-workflow-result.js';
import { reviewerAgentOutputSchema } from '../agent-results/reviewer-agent-output.js';
import { findUnusableLines } from '../order-draft/find-unusable-lines.js';
import { SaveOrUpdateOrderDraftParamsSchema } from '../order-draft/order-draft.schema.js';
import { stageOrderDraft } from '../order-draft/stage-order-draft.js';
import { applyReview } from '../review/apply-review.js';
import { readKnownItems } from '../search/read-known-items.js';
import { composeReport } from '../workflow/compose-report.js';

/**
 * `save_reviewed_order_draft`: saves a draft without asking the model for corrections. Lines with review findings, and lines
 * that cannot be ordered, are left to a person. Returns the report of the order (S2-18).
 */
export function saveReviewedOrderDraftTool(manager: EntityManager): ToolDefinition {
  return defineTool({
    name: 'save_reviewed_order_draft',
    label: 'save reviewed order draft',
    description:
      'Saves a reviewed order as a draft for a person to confirm and answers its report. Lines that the review names, or ' +
      'that cannot be ordered, are left to that person.',
    effect: 'idempotent',
    input: SaveOrUpdateOrderDraftParamsSchema.extend({ review: reviewerAgentOutputSchema }),
    timeoutMs: 15_000,
    run: async ({ review, ...draft }, { tenantId }) => {
      const reviewed = applyReview(draft, review.findings);
      const unusable = findUnusableLines(
        reviewed,
        await readKnownItems(manager, tenantId, reviewed.order_info),
      );
      const params = applyReview(
        reviewed,
        unusable.map(({ line, reason }) => ({ line, problem: `${reason}.` })),
      );
      const { id, payload, staged } = await stageOrderDraft(manager, tenantId, params);
      const { result, bake } = reportReturn(
        composeReport({ id, customerName: params.customer_name, payload, review }),
      );
      return { result, bake: { ...bake, savedOrderRequestId: id }, staged };
    },
  });
}
