import { randomUUID } from 'node:crypto';
import { Refusal, type Database, type RouteDependencies } from 'capstan/kit';
import { lockOrderRequest, showOrderRequest, type ActedOn } from '../order-changes/lock-order-request.ts';
import { noteChange } from '../order-changes/note-change.ts';
import { notConfirmed, otherVersion, serviceChanged, serviceMissing } from '../order-changes/refusals.ts';
import { findUnreadyLines } from '../order-changes/unready-lines.ts';
import { orderEntryPayloadSchema, type OrderEntryPayload } from '../order-draft/order-entry-payload.ts';
import { transformToSaveOrderRequest } from '../order-draft/save-order-request.ts';
import { updateOrderRequest, type OrderRequest } from '../order-requests/order-request.ts';
import type { OrderRequestView } from '../order-requests/read-order-request.ts';
import { readOrderingService } from '../ordering-services/ordering-services.ts';
import { readKnownItems } from '../search/read-known-items.ts';
import { idempotencyKeyOf, SEND_ORDER, type SendOrderData } from './send-order-data.ts';

/**
 * Orders a task that sends a confirmed order request; once committed, it ends as sent or failed despite crashes. A repeated
 * call returns the current state and sends nothing. Throws `NOT_FOUND`, `VERSION_CHANGED`, `ORDER_REQUEST_NOT_CONFIRMED`,
 * `ORDER_REQUEST_NOT_READY`, `ORDERING_SERVICE_MISSING` and `ORDERING_SERVICE_CHANGED`.
 */
export async function askToSend(
  { database, tasks }: Pick<RouteDependencies, 'database' | 'tasks'>,
  acted: ActedOn,
): Promise<OrderRequestView> {
  return database.transaction(async (transaction) => {
    const order = await lockOrderRequest(transaction, acted);
    if (isUnderWay(order, acted.expectedVersions)) return showOrderRequest(transaction, acted);
    const payload = orderEntryPayloadSchema.parse(order.payload);
    if (!payload.isSaved) throw notConfirmed();
    const service = await readOrderingService(transaction, acted.tenantId);
    if (service === null) throw serviceMissing();
    // An order with unknown outcome is sent again unchanged to the same service, where its key marks it as the same order.
    if (!order.isOutcomeUnknown) await assertReady(transaction, acted.tenantId, payload);
    else if (order.sentTo !== service.url) throw serviceChanged();

    const sendingId = randomUUID();
    const version = order.version + 1;
    await updateOrderRequest(transaction, order, {
      status: 'sending',
      version,
      sendingId,
      sentVersion: order.version,
      sentTo: service.url,
      tries: 0,
      failure: null,
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
      task: SEND_ORDER,
      tenantId: acted.tenantId,
      data,
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
async function assertReady(database: Database, tenantId: string, payload: OrderEntryPayload): Promise<void> {
  const [unready] = findUnreadyLines(payload.items, await readKnownItems(database, tenantId, payload.items));
  if (unready === undefined) return;
  throw new Refusal('unprocessable', `${unready.field} of line ${unready.index + 1} ${unready.reason}`, {
    code: 'ORDER_REQUEST_NOT_READY',
  });
}
