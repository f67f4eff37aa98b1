import type { Database } from 'capstan/kit';
import { lockOrderRequest, showOrderRequest, type ActedOn } from '../order-changes/lock-order-request.ts';
import { noteChange } from '../order-changes/note-change.ts';
import { isSent, otherVersion, outcomeKnown } from '../order-changes/refusals.ts';
import { updateOrderRequest, type OrderRequest } from '../order-requests/order-request.ts';
import type { OrderRequestView } from '../order-requests/read-order-request.ts';

/** Outcome that a person found at the ordering service after no answer had come. */
export type FoundOutcome =
  { readonly outcome: 'sent'; readonly orderNumber: string } | { readonly outcome: 'not_sent' };

/**
 * Records the outcome that a person reports for a failed order request: either sent, or free to be changed and sent again.
 * Repeating the same report changes nothing. Throws `NOT_FOUND`, `VERSION_CHANGED`, `ORDER_REQUEST_SENT` and
 * `ORDER_REQUEST_OUTCOME_KNOWN`.
 */
export async function settleOutcome(
  database: Database,
  acted: ActedOn,
  found: FoundOutcome,
): Promise<OrderRequestView> {
  return database.transaction(async (transaction) => {
    const order = await lockOrderRequest(transaction, acted);
    if (acted.expectedVersions !== null && !acted.expectedVersions.includes(order.version))
      throw otherVersion();
    if (!isSo(order, found)) {
      assertOpen(order);
      const version = order.version + 1;
      await updateOrderRequest(transaction, order, {
        ...{ version, isOutcomeUnknown: false },
        ...(found.outcome === 'sent' && {
          ...({ status: 'sent', failure: null } as const),
          orderNumber: found.orderNumber,
        }),
      });
      const action = found.outcome === 'sent' ? 'found_sent' : 'found_not_sent';
      await noteChange(transaction, order, { action, version, keyId: acted.keyId });
    }
    return showOrderRequest(transaction, acted);
  });
}

function isSo({ status, orderNumber, isOutcomeUnknown }: OrderRequest, found: FoundOutcome): boolean {
  return found.outcome === 'sent'
    ? status === 'sent' && orderNumber === found.orderNumber
    : status === 'failed' && !isOutcomeUnknown;
}

/** Accepts a report only after sending has failed with an unknown outcome. */
function assertOpen({ status, isOutcomeUnknown }: OrderRequest): void {
  if (status === 'sending' || status === 'sent') throw isSent();
  if (!isOutcomeUnknown) throw outcomeKnown();
}
