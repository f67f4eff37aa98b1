import type { TaskRecord, TaskTry } from '#libs/tooling';
import type { EntityManager } from 'typeorm';
import { OrderRequest, type SendFailure } from '../entities/order-request.entity.js';
import { noteChange } from '../order-changes/note-change.js';
import { mayHaveOrder, type SendFault } from './send-fault.js';
import type { SendOrderData } from './send-order-data.js';

/** Records the result of a try in its order request, if that is still the current sending. */
export async function recordSending(
  manager: EntityManager,
  { orderRequestId }: Pick<SendOrderData, 'orderRequestId'>,
  record: TaskRecord<{ readonly orderNumber: string }, SendFault>,
  { id: sendingId, tenantId, tryNumber }: Omit<TaskTry, 'signal'>,
): Promise<void> {
  const where = { id: orderRequestId, tenantId, sendingId };
  const order = await manager.findOne(OrderRequest, { where, lock: { mode: 'pessimistic_write' } });
  if (order === null) return;
  const version = order.version + 1;
  const always = { version, tries: tryNumber, updatedAt: (): string => 'now()' };
  if (record.kind === 'done') {
    const { orderNumber } = record.result;
    const sent = { status: 'sent', orderNumber, isOutcomeUnknown: false, failure: null } as const;
    await manager.update(OrderRequest, where, { ...always, ...sent, sentAt: () => 'now()' });
    await noteChange(manager, order, { action: 'sent', version, keyId: null });
    return;
  }
  const isOutcomeUnknown = mayHaveOrder(order, tryNumber, record.fault);
  const failed = { isOutcomeUnknown, failure: failureOf(record.fault) };
  const isOver = record.kind === 'given_up';
  await manager.update(OrderRequest, where, {
    ...always,
    ...failed,
    ...(isOver && { status: 'failed' as const }),
  });
  if (isOver) await noteChange(manager, order, { action: 'send_failed', version, keyId: null });
}

function failureOf(fault: SendFault | null): SendFailure {
  const at = new Date().toISOString();
  return { code: fault?.code ?? 'try_failed', status: fault?.status ?? null, at };
}
