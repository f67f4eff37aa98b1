import type { EntityManager } from 'typeorm';
import { OrderRequestChange, type OrderRequestAction } from '../entities/order-request-change.entity.js';
import type { OrderRequest } from '../entities/order-request.entity.js';
import type { OrderEntryPayload } from '../order-draft/order-entry-payload.js';

/** Writes an audit row for an action. */
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
