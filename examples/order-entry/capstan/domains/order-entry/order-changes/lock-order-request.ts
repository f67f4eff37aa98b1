import type { Database } from 'capstan/kit';
import { SELECT_ORDERS, type OrderRequest } from '../order-requests/order-request.ts';
import { readOrderRequest, type OrderRequestView } from '../order-requests/read-order-request.ts';
import { noSuchOrderRequest } from './refusals.ts';

/** The order request of an action, the acting key, and the expected versions; null accepts any version. */
export interface ActedOn {
  readonly tenantId: string;
  readonly id: number;
  readonly keyId: string | null;
  readonly expectedVersions: readonly number[] | null;
}

const LOCK_SQL = `${SELECT_ORDERS} WHERE o.id = $1 AND o.tenant_id = $2 FOR UPDATE OF o`;

/** Locks the row until the transaction of `database` ends. Throws `NOT_FOUND`. */
export async function lockOrderRequest(
  database: Database,
  { tenantId, id }: Pick<ActedOn, 'tenantId' | 'id'>,
): Promise<OrderRequest> {
  const [order] = await database.query<OrderRequest>(LOCK_SQL, [id, tenantId]);
  if (order === undefined) throw noSuchOrderRequest();
  return order;
}

/** The order request for the API. Throws `NOT_FOUND`. */
export async function showOrderRequest(
  database: Database,
  { tenantId, id }: Pick<ActedOn, 'tenantId' | 'id'>,
): Promise<OrderRequestView> {
  const view = await readOrderRequest(database, tenantId, id);
  if (view === null) throw noSuchOrderRequest();
  return view;
}
