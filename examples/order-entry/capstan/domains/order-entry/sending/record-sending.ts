import type { Database, TaskRecord, TaskTry } from 'capstan/kit';
import { noteChange } from '../order-changes/note-change.ts';
import {
  SELECT_ORDERS,
  updateOrderRequest,
  type OrderRequest,
  type SendFailure,
} from '../order-requests/order-request.ts';
import { mayHaveOrder, type SendFault } from './send-fault.ts';
import type { SendOrderData } from './send-order-data.ts';

const LOCK_SQL = `${SELECT_ORDERS}
WHERE o.id = $1 AND o.tenant_id = $2 AND o.sending_id = $3 FOR UPDATE OF o`;

/** Records the result of a try in its order request, if that is still the current sending. */
export async function recordSending(
  database: Database,
  { orderRequestId }: Pick<SendOrderData, 'orderRequestId'>,
  record: TaskRecord<{ readonly orderNumber: string }, SendFault>,
  { id: sendingId, tenantId, tryNumber }: Omit<TaskTry, 'signal'>,
): Promise<void> {
  const [order] = await database.query<OrderRequest>(LOCK_SQL, [orderRequestId, tenantId, sendingId]);
  if (order === undefined) return;
  const version = order.version + 1;
  const always = { version, tries: tryNumber };
  if (record.kind === 'done') {
    const { orderNumber } = record.result;
    const sent = { status: 'sent', orderNumber, isOutcomeUnknown: false, failure: null } as const;
    await updateOrderRequest(database, order, { ...always, ...sent });
    await noteChange(database, order, { action: 'sent', version, keyId: null });
    return;
  }
  const isOutcomeUnknown = mayHaveOrder(order, tryNumber, record.fault);
  const failed = { isOutcomeUnknown, failure: failureOf(record.fault) };
  const isOver = record.kind === 'given_up';
  await updateOrderRequest(database, order, {
    ...always,
    ...failed,
    ...(isOver && { status: 'failed' as const }),
  });
  if (isOver) await noteChange(database, order, { action: 'send_failed', version, keyId: null });
}

function failureOf(fault: SendFault | null): SendFailure {
  const at = new Date().toISOString();
  return { code: fault?.code ?? 'try_failed', status: fault?.status ?? null, at };
}
