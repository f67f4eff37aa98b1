import { Refusal, type Database } from 'capstan/kit';
import { updateOrderRequest, type OrderRequest } from '../order-requests/order-request.ts';
import { orderEntryPayloadSchema } from '../order-draft/order-entry-payload.ts';
import type { OrderRequestView } from '../order-requests/read-order-request.ts';
import { readKnownItems } from '../search/read-known-items.ts';
import { decideChange, type OrderRequestPatch } from './decide-change.ts';
import { lockOrderRequest, showOrderRequest, type ActedOn } from './lock-order-request.ts';
import { noteChange } from './note-change.ts';
import { isSent, otherVersion, outcomeUnknown } from './refusals.ts';

const AS_NEVER_SENT = {
  status: 'draft',
  sendingId: null,
  sentVersion: null,
  sentTo: null,
  tries: 0,
  failure: null,
} as const;

/**
 * Changes lines and confirmation for a person, and writes an audit row. A failed order becomes a draft again. Throws
 * `NOT_FOUND`, `VERSION_CHANGED`, `ORDER_REQUEST_SENT`, `ORDER_REQUEST_OUTCOME_UNKNOWN`, and `ORDER_REQUEST_NOT_READY` at
 * the lines.
 */
export async function changeOrderRequest(
  database: Database,
  acted: ActedOn,
  patch: OrderRequestPatch,
): Promise<OrderRequestView> {
  return database.transaction(async (transaction) => {
    const order = await lockOrderRequest(transaction, acted);
    assertChangeable(order, acted.expectedVersions);
    const before = orderEntryPayloadSchema.parse(order.payload);
    const known = await readKnownItems(transaction, acted.tenantId, patch.items ?? before.items);
    const decision = decideChange(before, patch, known);
    if (decision.kind === 'not_ready')
      throw new Refusal('unprocessable', 'the order request is not ready', {
        code: 'ORDER_REQUEST_NOT_READY',
        faults: decision.faults,
      });
    if (decision.kind === 'changed') {
      const { payload: after } = decision;
      const version = order.version + 1;
      await updateOrderRequest(transaction, order, { ...AS_NEVER_SENT, payload: after, version });
      await noteChange(transaction, order, { action: 'changed', version, keyId: acted.keyId, before, after });
    }
    return showOrderRequest(transaction, acted);
  });
}

function assertChangeable(order: OrderRequest, expected: ActedOn['expectedVersions']): void {
  if (expected !== null && !expected.includes(order.version)) throw otherVersion();
  if (order.status === 'sending' || order.status === 'sent') throw isSent();
  if (order.isOutcomeUnknown) throw outcomeUnknown();
}
