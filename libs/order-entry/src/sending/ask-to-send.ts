import { randomUUID } from 'node:crypto';
import { AppError } from '#libs/kernel';
import type { RouteDependencies } from '#libs/tooling';
import type { EntityManager } from 'typeorm';
import { OrderRequest } from '../entities/order-request.entity.js';
import { OrderingService } from '../entities/ordering-service.entity.js';
import { lockOrderRequest, showOrderRequest, type ActedOn } from '../order-changes/lock-order-request.js';
import { noteChange } from '../order-changes/note-change.js';
import { notConfirmed, otherVersion, serviceChanged, serviceMissing } from '../order-changes/refusals.js';
import { findUnreadyLines } from '../order-changes/unready-lines.js';
import { orderEntryPayloadSchema, type OrderEntryPayload } from '../order-draft/order-entry-payload.js';
import { transformToSaveOrderRequest } from '../order-draft/save-order-request.js';
import type { OrderRequestView } from '../order-requests/read-order-request.js';
import { readKnownItems } from '../search/read-known-items.js';
import { idempotencyKeyOf, SEND_ORDER, type SendOrderData } from './send-order-data.js';

/**
 * Orders a task that sends a confirmed order request; once committed, it ends as sent or failed despite crashes. A repeated
 * call returns the current state and sends nothing. Throws `NOT_FOUND`, `VERSION_CHANGED`, `ORDER_REQUEST_NOT_CONFIRMED`,
 * `ORDER_REQUEST_NOT_READY`, `ORDERING_SERVICE_MISSING` and `ORDERING_SERVICE_CHANGED`.
 */
export async function askToSend(
  { manager, tasks }: Pick<RouteDependencies<EntityManager>, 'manager' | 'tasks'>,
  acted: ActedOn,
): Promise<OrderRequestView> {
  return manager.transaction(async (transaction) => {
    const order = await lockOrderRequest(transaction, acted);
    if (isUnderWay(order, acted.expectedVersions)) return showOrderRequest(transaction, acted);
    const payload = orderEntryPayloadSchema.parse(order.payload);
    if (!payload.isSaved) throw notConfirmed();
    const service = await transaction.findOneBy(OrderingService, { tenantId: acted.tenantId });
    if (service === null) throw serviceMissing();
    // An order with unknown outcome is sent again unchanged to the same service, where its key marks it as the same order.
    if (!order.isOutcomeUnknown) await assertReady(transaction, acted.tenantId, payload);
    else if (order.sentTo !== service.url) throw serviceChanged();

    const sendingId = randomUUID();
    const version = order.version + 1;
    await transaction.update(OrderRequest, order.id, {
      status: 'sending',
      version,
      sendingId,
      sentVersion: order.version,
      sentTo: service.url,
      tries: 0,
      failure: null,
      updatedAt: () => 'now()',
    });
    await noteChange(transaction, order, { action: 'send_asked', version, keyId: acted.keyId });
    const data: SendOrderData = {
      orderRequestId: order.id,
      url: service.url,
      idempotencyKey: idempotencyKeyOf(order),
      order: transformToSaveOrderRequest({ order_info: payload.items }),
    };
    await tasks.order(transaction, {
      id: sendingId,
      kind: SEND_ORDER,
      tenantId: acted.tenantId,
      data: { ...data },
    });
    return showOrderRequest(transaction, acted);
  });
}

/** A request repeated after a lost answer still names the version before sending. */
function isUnderWay(
  { status, version, sentVersion }: OrderRequest,
  expected: ActedOn['expectedVersions'],
): boolean {
  const isSending = status === 'sending' || status === 'sent';
  const isMeant = (candidate: number | null): boolean =>
    expected === null || (candidate !== null && expected.includes(candidate));
  if (isMeant(version) || (isSending && isMeant(sentVersion))) return isSending;
  throw otherVersion();
}

/** An item may have left the catalogue since a person confirmed the order. */
async function assertReady(
  manager: EntityManager,
  tenantId: string,
  payload: OrderEntryPayload,
): Promise<void> {
  const [unready] = findUnreadyLines(payload.items, await readKnownItems(manager, tenantId, payload.items));
  if (unready === undefined) return;
  throw new AppError({
    code: 'ORDER_REQUEST_NOT_READY',
    kind: 'unprocessable',
    message: `${unready.field} of line ${unready.index + 1} ${unready.reason}`,
  });
}
