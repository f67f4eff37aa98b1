import { toStorableText } from '#libs/kernel';
import { defineTool, errorResult } from '#libs/tooling';
import type { ToolDefinition, ToolReturn } from '#libs/tooling';
import { In } from 'typeorm';
import type { EntityManager } from 'typeorm';
import { z } from 'zod';
import { CatalogueItem } from '../entities/catalogue-item.entity.js';
import { findUnusableLines } from '../order-draft/find-unusable-lines.js';
import { transformToOrderEntryPayload } from '../order-draft/order-entry-payload.js';
import { SaveOrUpdateOrderDraftParamsSchema } from '../order-draft/order-draft.schema.js';
import type { SaveOrUpdateOrderDraftParams } from '../order-draft/order-draft.schema.js';
import { ORDER_REQUEST_SAVED } from '../order-requests/order-request-saved.js';
import { findCustomerId } from '../search/find-customer-id.js';
import type { BakedByOrderEntry } from '../message-data/additional-data.js';
import type { SalesAgentFunctionCallResult } from '../agent-results/sales-agent-result.js';

/**
 * `save_order_draft` (S2-37, S2-38): reserves the order's id and stages the order; the row appears when the execution
 * settles (S4-20). Running it again reserves another id and leaves nothing else behind.
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
      const reasons = findUnusableLines(params, await readKnownItemNums(manager, tenantId, params));
      if (reasons.length > 0) return { result: errorResult(`Nothing was saved. ${reasons.join('. ')}.`) };
      const id = await reserveOrderRequestId(manager);
      const customerId = await findCustomerId(manager, tenantId, params.customer_name);
      return stagedReturn(id, customerId, params);
    },
  });
}

function stagedReturn(
  id: number,
  customerId: number | null,
  params: SaveOrUpdateOrderDraftParams,
): ToolReturn {
  const payload = transformToOrderEntryPayload(params);
  const open = payload.items.filter((item) => item.status === 'todo').length;
  const message = `Order request ${id} is saved as a draft: ${payload.items.length} lines, ${open} of them todo.`;
  const result: SalesAgentFunctionCallResult = {
    status: 'success',
    result: { message, savedOrderRequestId: id },
  };
  const data = { id, customerId, customerName: params.customer_name, payload };
  return {
    result,
    bake: { savedOrderRequestId: id } satisfies BakedByOrderEntry,
    staged: [{ kind: ORDER_REQUEST_SAVED, data }],
  };
}

async function readKnownItemNums(
  manager: EntityManager,
  tenantId: string,
  params: SaveOrUpdateOrderDraftParams,
): Promise<ReadonlySet<string>> {
  const itemNums = [...new Set(params.order_info.map((item) => toStorableText(item.item_num)))];
  const items = await manager.find(CatalogueItem, {
    where: { tenantId, itemNum: In(itemNums) },
    select: { itemNum: true },
  });
  return new Set(items.map((item) => item.itemNum));
}

async function reserveOrderRequestId(manager: EntityManager): Promise<number> {
  const rows: unknown = await manager.query(
    `SELECT nextval(pg_get_serial_sequence('order_request', 'id'))::int AS id`,
  );
  return z.tuple([z.object({ id: z.number().int() })]).parse(rows)[0].id;
}
