import { In, type EntityManager } from 'typeorm';
import { CatalogueItem } from '../entities/catalogue-item.entity.js';
import { OrderRequest } from '../entities/order-request.entity.js';
import { OrderRequestChange, type OrderRequestAction } from '../entities/order-request-change.entity.js';
import type { OrderEntryPayload } from '../order-draft/order-entry-payload.js';
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

/** Which of the item numbers the catalogue has. */
export async function readKnownItems(
  manager: EntityManager,
  tenantId: string,
  { items }: Pick<OrderEntryPayload, 'items'>,
): Promise<ReadonlySet<string>> {
  const itemNum = In([...new Set(items.map(({ item_num }) => item_num))]);
  const known = await manager.find(CatalogueItem, {
    where: { tenantId, itemNum },
    select: { itemNum: true },
  });
  return new Set(known.map((item) => item.itemNum));
}

/** What was done, and by whom. */
export async function noteChange(
  manager: EntityManager,
  order: Pick<OrderRequest, 'id' | 'tenantId'>,
  noted: {
    readonly action: OrderRequestAction;
    readonly version: number;
    readonly keyId: string | null;
    readonly before?: OrderEntryPayload;
    readonly after?: OrderEntryPayload;
  },
): Promise<void> {
  const { before = null, after = null, ...rest } = noted;
  await manager.insert(OrderRequestChange, {
    tenantId: order.tenantId,
    orderRequestId: order.id,
    ...rest,
    before,
    after,
  });
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
