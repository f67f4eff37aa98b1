import { defineTool, errorResult } from '#libs/tooling';
import type { ToolDefinition, ToolReturn } from '#libs/tooling';
import type { EntityManager } from 'typeorm';
import { findUnusableLines } from '../order-draft/find-unusable-lines.js';
import { SaveOrUpdateOrderDraftParamsSchema } from '../order-draft/order-draft.schema.js';
import type { BakedByOrderEntry } from '../message-data/additional-data.js';
import { stageOrderDraft, type StagedOrderDraft } from '../order-draft/stage-order-draft.js';
import { readKnownItems } from '../search/read-known-items.js';
import type { SalesAgentFunctionCallResult } from '../agent-results/sales-agent-result.js';

/**
 * `save_order_draft` (S2-37, S2-38): reserves the order's id and stages the order; its row is inserted when the execution
 * settles (S4-20). A repetition only reserves another id.
 */
export function saveOrderDraftTool(manager: EntityManager): ToolDefinition {
  return defineTool({
    name: 'save_order_draft',
    label: 'save order draft',
    description:
      'Saves all lines of one order as a draft for a person to confirm and answers its order request number. Call it ' +
      'once, after every line was searched for. An error answer means that nothing was saved.',
    effect: 'idempotent',
    input: SaveOrUpdateOrderDraftParamsSchema,
    timeoutMs: 15_000,
    run: async (params, { tenantId }) => {
      const unusable = findUnusableLines(params, await readKnownItems(manager, tenantId, params.order_info));
      const reasons = unusable.map(({ line, reason, advice }) => `line ${line}: ${reason}; ${advice}`);
      if (reasons.length > 0) return { result: errorResult(`Nothing was saved. ${reasons.join('. ')}.`) };
      return stagedReturn(await stageOrderDraft(manager, tenantId, params));
    },
  });
}

function stagedReturn({ id, payload, staged }: StagedOrderDraft): ToolReturn {
  const open = payload.items.filter((item) => item.status === 'todo').length;
  const message = `Order request ${id} is saved as a draft: ${payload.items.length} lines, ${open} of them todo.`;
  const result: SalesAgentFunctionCallResult = {
    status: 'success',
    result: { message, savedOrderRequestId: id },
  };
  return { result, bake: { savedOrderRequestId: id } satisfies BakedByOrderEntry, staged };
}
