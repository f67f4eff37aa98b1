import { defineTask, type TaskOutcome } from 'capstan/kit';
import { findCalledService, type CalledService } from '../ordering-services/ordering-services.ts';
import { postOrder } from './post-order.ts';
import { recordSending } from './record-sending.ts';
import type { SendFault } from './send-fault.ts';
import { SEND_ORDER, sendOrderDataSchema, type SendOrderData } from './send-order-data.ts';

/** Result of an accepted order. */
export interface SentOrder {
  readonly orderNumber: string;
}

/** Sends an order request to the ordering service of its tenant. */
export const sendOrderTask = defineTask<SendOrderData, SentOrder, SendFault>({
  name: SEND_ORDER,
  data: sendOrderDataSchema,
  timeoutMs: 20_000,
  perform: async (data, { tenantId, signal }, dependencies) => {
    let service: CalledService | null;
    try {
      service = await findCalledService(dependencies, tenantId);
    } catch (trouble) {
      // Reported as unsent; after a thrown error, the outcome would count as unknown.
      return { kind: 'again', fault: unsent('try_failed'), trouble };
    }
    if (service?.url !== data.url)
      return { kind: 'failed', fault: unsent(service === null ? 'service_removed' : 'service_changed') };
    const post = dependencies.fetchFor(tenantId);
    const verdict = await postOrder(post, data, { token: service.token, signal });
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

function unsent(code: SendFault['code']): SendFault {
  return { code, status: null, arrived: 'nothing' };
}

function again(fault: SendFault, afterMs: number | null): TaskOutcome<SentOrder, SendFault> {
  return { kind: 'again', fault, ...(afterMs !== null && { afterMs }) };
}
