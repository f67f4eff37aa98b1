import { defineTask, type TaskOutcome } from '#libs/tooling';
import type { EntityManager } from 'typeorm';
import { OrderingService } from '../entities/ordering-service.entity.js';
import { orderingTokenOf } from '../ordering-services/ordering-token.js';
import { postOrder } from './post-order.js';
import { recordSending } from './record-sending.js';
import type { SendFault } from './send-fault.js';
import { SEND_ORDER, sendOrderDataSchema, type SendOrderData } from './send-order-data.js';

/** What the ordering service made of it. */
export interface SentOrder {
  readonly orderNumber: string;
}

/** Sends an order request to the ordering service of its tenant. */
export const sendOrderTask = defineTask<EntityManager, SendOrderData, SentOrder, SendFault>({
  kind: SEND_ORDER,
  data: sendOrderDataSchema,
  timeoutMs: 20_000,
  perform: async (data, { tenantId, signal }, { manager, secrets, fetchFor }) => {
    // The token first: one that was given meanwhile for another address is never sent to this one.
    const token = await secrets.read(manager, orderingTokenOf(tenantId));
    const service = await manager.findOneBy(OrderingService, { tenantId });
    if (service?.url !== data.url) {
      const code = service === null ? 'service_removed' : 'service_changed';
      return { kind: 'failed', fault: { code, status: null, arrived: 'nothing' } };
    }
    const verdict = await postOrder(fetchFor(tenantId), data, { token, signal });
    switch (verdict.kind) {
      case 'accepted':
        return { kind: 'done', result: { orderNumber: verdict.orderNumber } };
      case 'refused':
        return { kind: 'failed', fault: verdict.fault };
      case 'passing':
        return again(verdict.fault, verdict.afterMs);
    }
  },
  record: recordSending,
});

function again(fault: SendFault, afterMs: number | null): TaskOutcome<SentOrder, SendFault> {
  return { kind: 'again', fault, ...(afterMs !== null && { afterMs }) };
}
