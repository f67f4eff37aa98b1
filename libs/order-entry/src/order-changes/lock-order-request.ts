import type { EntityManager } from 'typeorm';
import { OrderRequest } from '../entities/order-request.entity.js';
import { readOrderRequest, type OrderRequestView } from '../order-requests/read-order-request.js';
import { noSuchOrderRequest } from './refusals.js';

/** Which order request somebody acts on, who, and the versions that they mean; null where any will do. */
export interface ActedOn {
  readonly tenantId: string;
  readonly id: number;
  readonly keyId: string | null;
  readonly expectedVersions: readonly number[] | null;
}

/** The row, for as long as the transaction of `manager` lasts. Throws `NOT_FOUND`. */
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

/** As it is shown. Throws `NOT_FOUND`. */
export async function showOrderRequest(
  manager: EntityManager,
  { tenantId, id }: Pick<ActedOn, 'tenantId' | 'id'>,
): Promise<OrderRequestView> {
  const view = await readOrderRequest(manager, tenantId, id);
  if (view === null) throw noSuchOrderRequest();
  return view;
}
