import { In } from 'typeorm';
import type { EntityManager } from 'typeorm';
import { CatalogueItem } from '../entities/catalogue-item.entity.js';
import { OrderRequest } from '../entities/order-request.entity.js';
import type { OrderRequestStatus } from '../entities/order-request.entity.js';
import { orderEntryPayloadSchema } from '../order-draft/order-entry-payload.js';
import type { OrderEntryPayload, OrderEntryPayloadItem } from '../order-draft/order-entry-payload.js';

/** A line with the names the catalogue gives its item now; null when the item number is not in it. */
export interface OrderRequestLineView extends OrderEntryPayloadItem {
  readonly item_name: string | null;
  readonly item_name_ja: string | null;
}

/** An order request as an API may show it. */
export interface OrderRequestView {
  readonly id: number;
  readonly execution_id: string;
  readonly status: OrderRequestStatus;
  readonly customer: { readonly account_number: number; readonly name: string } | null;
  readonly customer_name: string | null;
  readonly is_saved: boolean;
  readonly items: readonly OrderRequestLineView[];
  /** ISO 8601, UTC. */
  readonly created_at: string;
}

/** The tenant's order request with this id, or null when it has none. */
export async function readOrderRequest(
  manager: EntityManager,
  tenantId: string,
  id: number,
): Promise<OrderRequestView | null> {
  const order = await manager.findOne(OrderRequest, {
    where: { id, tenantId },
    relations: { customer: true },
  });
  if (order === null) return null;
  const payload = orderEntryPayloadSchema.parse(order.payload);
  const itemNums = [...new Set(payload.items.map((item) => item.item_num))];
  const items = await manager.findBy(CatalogueItem, { tenantId, itemNum: In(itemNums) });
  return toView(order, payload, items);
}

function toView(
  order: OrderRequest,
  payload: OrderEntryPayload,
  items: readonly CatalogueItem[],
): OrderRequestView {
  const byNumber = new Map(items.map((item) => [item.itemNum, item]));
  return {
    ...describeHead(order, payload),
    items: payload.items.map((line) => {
      const item = byNumber.get(line.item_num);
      return { ...line, item_name: item?.name ?? null, item_name_ja: item?.nameJa ?? null };
    }),
  };
}

/** Everything of an order request but its lines. */
export function describeHead(
  order: OrderRequest,
  { isSaved }: Pick<OrderEntryPayload, 'isSaved'>,
): Omit<OrderRequestView, 'items'> {
  const { customer } = order;
  return {
    id: order.id,
    execution_id: order.executionId,
    status: order.status,
    customer: customer === null ? null : { account_number: customer.accountNumber, name: customer.name },
    customer_name: order.customerName,
    is_saved: isSaved,
    created_at: order.createdAt.toISOString(),
  };
}
