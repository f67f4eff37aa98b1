import type { Database } from 'capstan/kit';
import { orderEntryPayloadSchema } from '../order-draft/order-entry-payload.ts';
import { SELECT_ORDERS, type OrderRequest } from './order-request.ts';
import { describeHead, type OrderRequestView } from './read-order-request.ts';

export type OrderRequestSummary = Omit<OrderRequestView, 'items'>;

/** `coalesce` keeps the first page a range of the index; an `OR` would not. */
const PAGE_SQL = `${SELECT_ORDERS}
WHERE o.tenant_id = $1 AND o.id < coalesce($2::bigint, 2147483648) ORDER BY o.id DESC LIMIT $3`;

/** The tenant's order requests, newest first, after the id `after`. */
export async function listOrderRequests(
  database: Database,
  {
    tenantId,
    after,
    limit,
  }: { readonly tenantId: string; readonly after: number | null; readonly limit: number },
): Promise<OrderRequestSummary[]> {
  const orders = await database.query<OrderRequest>(PAGE_SQL, [tenantId, after, limit]);
  return orders.map((order) => describeHead(order, orderEntryPayloadSchema.parse(order.payload)));
}
