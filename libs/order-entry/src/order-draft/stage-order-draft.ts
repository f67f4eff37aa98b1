import type { StagedChange } from '#libs/tooling';
import type { EntityManager } from 'typeorm';
import { z } from 'zod';
import { ORDER_REQUEST_SAVED } from '../order-requests/order-request-saved.js';
import { findCustomerId } from '../search/find-customer-id.js';
import type { SaveOrUpdateOrderDraftParams } from './order-draft.schema.js';
import { transformToOrderEntryPayload, type OrderEntryPayload } from './order-entry-payload.js';

/** A draft that becomes an order request when its execution settles (S4-20), under the reserved `id`. */
export interface StagedOrderDraft {
  readonly id: number;
  readonly payload: OrderEntryPayload;
  readonly staged: readonly StagedChange[];
}

/** Reserves an id and prepares the order request. A repetition only reserves another id. */
export async function stageOrderDraft(
  manager: EntityManager,
  tenantId: string,
  params: SaveOrUpdateOrderDraftParams,
): Promise<StagedOrderDraft> {
  const id = await reserveOrderRequestId(manager);
  const customerId = await findCustomerId(manager, tenantId, params.customer_name);
  const payload = transformToOrderEntryPayload(params);
  const data = { id, customerId, customerName: params.customer_name, payload };
  return { id, payload, staged: [{ kind: ORDER_REQUEST_SAVED, data }] };
}

async function reserveOrderRequestId(manager: EntityManager): Promise<number> {
  const rows: unknown = await manager.query(
    `SELECT nextval(pg_get_serial_sequence('order_request', 'id'))::int AS id`,
  );
  return z.tuple([z.object({ id: z.number().int() })]).parse(rows)[0].id;
}
