import type { Database } from 'capstan/kit';
import { orderEntryPayloadSchema } from '../order-draft/order-entry-payload.ts';
import type { OrderEntryPayload, OrderEntryPayloadItem } from '../order-draft/order-entry-payload.ts';
import { SELECT_ORDERS, type OrderRequest, type OrderRequestStatus } from './order-request.ts';
import { SEND_FAULT_MESSAGES, type SendFaultCode } from '../sending/send-fault.ts';

/** A line with the current catalogue names of its item; null if the catalogue lacks the item number. */
export interface OrderRequestLineView extends OrderEntryPayloadItem {
  readonly item_name: string | null;
  readonly item_name_ja: string | null;
}

/** State of sending an order request to the ordering service. */
export interface SendingView {
  /** Number of tries with a known result. */
  readonly tries: number;
  /** Order number assigned by the ordering service; null before. */
  readonly order_number: string | null;
  readonly sent_at: string | null;
  /** Failure of the last try. */
  readonly failure: {
    readonly code: SendFaultCode;
    readonly message: string;
    readonly status: number | null;
    readonly at: string;
  } | null;
  /** True where the ordering service may have the order but no answer confirms it. */
  readonly is_outcome_unknown: boolean;
}

/** An order request as the API shows it. */
export interface OrderRequestView {
  readonly id: number;
  readonly execution_id: string;
  readonly status: OrderRequestStatus;
  readonly customer: { readonly account_number: number; readonly name: string } | null;
  readonly customer_name: string | null;
  readonly is_saved: boolean;
  /** Version number, incremented by each change. */
  readonly version: number;
  readonly sending: SendingView | null;
  readonly items: readonly OrderRequestLineView[];
  /** ISO 8601, UTC. */
  readonly created_at: string;
  readonly updated_at: string;
}

interface ItemNames {
  readonly itemNum: string;
  readonly name: string;
  readonly nameJa: string;
}

const NAMES_SQL = `
SELECT item_num AS "itemNum", name, name_ja AS "nameJa" FROM order_entry.catalogue_item
WHERE tenant_id = $1 AND item_num = ANY ($2::text[])`;

/** The tenant's order request with this id; null if missing. */
export async function readOrderRequest(
  database: Database,
  tenantId: string,
  id: number,
): Promise<OrderRequestView | null> {
  const [order] = await database.query<OrderRequest>(
    `${SELECT_ORDERS} WHERE o.id = $1 AND o.tenant_id = $2`,
    [id, tenantId],
  );
  if (order === undefined) return null;
  const payload = orderEntryPayloadSchema.parse(order.payload);
  const itemNums = [...new Set(payload.items.map((item) => item.item_num))];
  const items = await database.query<ItemNames>(NAMES_SQL, [tenantId, itemNums]);
  return toView(order, payload, items);
}

function toView(
  order: OrderRequest,
  payload: OrderEntryPayload,
  items: readonly ItemNames[],
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

/** An order request without its lines. */
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
    version: order.version,
    sending: order.sendingId === null ? null : describeSending(order),
    created_at: order.createdAt.toISOString(),
    updated_at: order.updatedAt.toISOString(),
  };
}

function describeSending(order: OrderRequest): SendingView {
  const { failure } = order;
  return {
    tries: order.tries,
    order_number: order.orderNumber,
    sent_at: order.sentAt?.toISOString() ?? null,
    failure: failure === null ? null : { ...failure, message: SEND_FAULT_MESSAGES[failure.code] },
    is_outcome_unknown: order.isOutcomeUnknown,
  };
}
