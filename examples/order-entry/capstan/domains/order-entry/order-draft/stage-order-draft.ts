import type { ToolContext } from 'capstan/kit';
import { z } from 'zod';
import { ORDER_REQUEST_SAVED } from '../order-requests/order-request-saved.ts';
import { findCustomerId } from '../search/find-customer-id.ts';
import type { SaveOrUpdateOrderDraftParams } from './order-draft.schema.ts';
import { transformToOrderEntryPayload, type OrderEntryPayload } from './order-entry-payload.ts';

/** A draft that becomes an order request when its execution settles, under the reserved `id`. */
export interface StagedOrderDraft {
  readonly id: number;
  readonly payload: OrderEntryPayload;
}

/** Reserves an id, stages the order request and adds its id to the answer. A repetition only reserves another id. */
export async function stageOrderDraft(
  { database, tenantId, stage, bake }: Pick<ToolContext, 'database' | 'tenantId' | 'stage' | 'bake'>,
  params: SaveOrUpdateOrderDraftParams,
): Promise<StagedOrderDraft> {
  const id = await reserveOrderRequestId(database);
  const customerId = await findCustomerId(database, tenantId, params.customer_name);
  const payload = transformToOrderEntryPayload(params);
  stage(ORDER_REQUEST_SAVED, { id, customerId, customerName: params.customer_name, payload });
  bake({ savedOrderRequestId: id });
  return { id, payload };
}

async function reserveOrderRequestId(database: ToolContext['database']): Promise<number> {
  const rows = await database.query(
    `SELECT nextval(pg_get_serial_sequence('order_entry.order_request', 'id'))::int AS id`,
  );
  return z.tuple([z.object({ id: z.number().int() })]).parse(rows)[0].id;
}
