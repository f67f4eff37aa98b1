import { RequestFaultError } from '#libs/tooling';
import type { EntityManager } from 'typeorm';
import { OrderRequest } from '../entities/order-request.entity.js';
import { orderEntryPayloadSchema } from '../order-draft/order-entry-payload.js';
import type { OrderRequestView } from '../order-requests/read-order-request.js';
import { readKnownItems } from '../search/read-known-items.js';
import { decideChange, type OrderRequestPatch } from './decide-change.js';
import { lockOrderRequest, showOrderRequest, type ActedOn } from './lock-order-request.js';
import { noteChange } from './note-change.js';
import { isSent, otherVersion, outcomeUnknown } from './refusals.js';

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
 * `NOT_FOUND`, `VERSION_CHANGED`, `ORDER_REQUEST_SENT`, `ORDER_REQUEST_OUTCOME_UNKNOWN`, and a `RequestFaultError` with
 * `ORDER_REQUEST_NOT_READY`.
 */
export async function changeOrderRequest(
  manager: EntityManager,
  acted: ActedOn,
  patch: OrderRequestPatch,
): Promise<OrderRequestView> {
  return manager.transaction(async (transaction) => {
    const order = await lockOrderRequest(transaction, acted);
    assertChangeable(order, acted.expectedVersions);
    const before = orderEntryPayloadSchema.parse(order.payload);
    const known = await readKnownItems(transaction, acted.tenantId, patch.items ?? before.items);
    const decision = decideChange(before, patch, known);
    if (decision.kind === 'not_ready')
      throw new RequestFaultError(decision.faults, {
        code: 'ORDER_REQUEST_NOT_READY',
        kind: 'unprocessable',
      });
    if (decision.kind === 'changed') {
      const { payload: after } = decision;
      const version = order.version + 1;
      await transaction.update(OrderRequest, order.id, {
        ...AS_NEVER_SENT,
        payload: after,
        version,
        updatedAt: () => 'now()',
      });
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
