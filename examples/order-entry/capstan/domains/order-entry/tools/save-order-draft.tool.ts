import { defineTool, ToolFailure } from 'capstan/kit';
import type { SalesAgentResult } from '../agent-results/sales-agent-result.ts';
import { findUnusableLines } from '../order-draft/find-unusable-lines.ts';
import { SaveOrUpdateOrderDraftParamsSchema } from '../order-draft/order-draft.schema.ts';
import { stageOrderDraft } from '../order-draft/stage-order-draft.ts';
import { readKnownItems } from '../search/read-known-items.ts';

/**
 * Reserves the order's id and stages the order; its row is inserted when the execution settles. A repetition only reserves
 * another id.
 */
export const saveOrderDraftTool = defineTool({
  name: 'save_order_draft',
  description:
    'Saves all lines of one order as a draft for a person to confirm and answers its order request number. Call it ' +
    'once, after every line was searched for. An error answer means that nothing was saved.',
  effect: 'idempotent',
  input: SaveOrUpdateOrderDraftParamsSchema,
  limits: { timeoutMs: 15_000 },
  run: async (params, context): Promise<SalesAgentResult> => {
    const { database, tenantId } = context;
    const unusable = findUnusableLines(params, await readKnownItems(database, tenantId, params.order_info));
    const reasons = unusable.map(({ line, reason, advice }) => `line ${line}: ${reason}; ${advice}`);
    if (reasons.length > 0) throw new ToolFailure(`Nothing was saved. ${reasons.join('. ')}.`);
    const { id, payload } = await stageOrderDraft(context, params);
    const open = payload.items.filter((item) => item.status === 'todo').length;
    const message = `Order request ${id} is saved as a draft: ${payload.items.length} lines, ${open} of them todo.`;
    return { message, savedOrderRequestId: id };
  },
});
