import { defineTask, type CalledService, type TaskOutcome } from '#libs/tooling';
import type { EntityManager } from 'typeorm';
import { findOrderingService } from '../ordering-services/find-ordering-service.js';
import { postOrder } from './post-order.js';
import { recordSending } from './record-sending.js';
import type { SendFault } from './send-fault.js';
import { SEND_ORDER, sendOrderDataSchema, type SendOrderData } from './send-order-data.js';

/** Result of an accepted order. */
export interface SentOrder {
  readonly orderNumber: string;
}

/** Sends an order request to the ordering service of its tenant. */
export const sendOrderTask = defineTask<EntityManager, SendOrderData, SentOrder, SendFault>({
  kind: SEND_ORDER,
  data: sendOrderDataSchema,
  timeoutMs: 20_000,
  perform: async (data, { tenantId, signal }, dependencies) => {
    let service: CalledService | null;
    try {
      service = await findOrderingService(dependencies, tenantId);
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
