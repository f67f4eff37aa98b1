import type { EntityManager } from 'typeorm';
import { OrderRequest } from '../entities/order-request.entity.js';
import { readOrderRequest, type OrderRequestView } from '../order-requests/read-order-request.js';
import { noSuchOrderRequest } from './refusals.js';

/** The order request of an action, the acting key, and the expected versions; null accepts any version. */
export interface ActedOn {
  readonly tenantId: string;
  readonly id: number;
  readonly keyId: string | null;
  readonly expectedVersions: readonly number[] | null;
}

/** Locks the row until the transaction of `manager` ends. Throws `NOT_FOUND`. */
export async function lockOrderRequest(
  manager: EntityManager,
  { tenantId, id }: Pick<ActedOn, 'tenantId' | 'id'>,
): Promise<OrderRequest> {
  const order = await manager.findOne(OrderRequest, {
    where: { id, tenantId },
    lock: { mode: 'pessimistic_write' },
  });
  if (order === null) throw noSuchOrderRequest();
  return order;
}

/** The order request for the API. Throws `NOT_FOUND`. */
export async function showOrderRequest(
  manager: EntityManager,
  { tenantId, id }: Pick<ActedOn, 'tenantId' | 'id'>,
): Promise<OrderRequestView> {
  const view = await readOrderRequest(manager, tenantId, id);
  if (view === null) throw noSuchOrderRequest();
  return view;
}
