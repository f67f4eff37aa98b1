import { LessThan, type EntityManager } from 'typeorm';
import { OrderRequest } from '../entities/order-request.entity.js';
import { orderEntryPayloadSchema } from '../order-draft/order-entry-payload.js';
import { describeHead, type OrderRequestView } from './read-order-request.js';

export type OrderRequestSummary = Omit<OrderRequestView, 'items'>;

/** The tenant's order requests, newest first, after the id `after`. */
export async function listOrderRequests(
  manager: EntityManager,
  {
    tenantId,
    after,
    limit,
  }: { readonly tenantId: string; readonly after: number | null; readonly limit: number },
): Promise<OrderRequestSummary[]> {
  const orders = await manager.find(OrderRequest, {
    where: { tenantId, ...(after !== null && { id: LessThan(after) }) },
    relations: { customer: true },
    order: { id: 'DESC' },
    take: limit,
  });
  return orders.map((order) => describeHead(order, orderEntryPayloadSchema.parse(order.payload)));
}
