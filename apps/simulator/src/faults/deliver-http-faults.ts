import { assertNever } from '#libs/kernel';
import type { ApiError } from '../http/api-error.js';
import { deliverReply } from '../http/deliver-reply.js';
import type { Delivery, DeliveryStep } from '../http/delivery.js';
import { errorReply, type Reply } from '../http/reply.js';
import type { HttpFault } from './fault-schema.js';
import { httpFaultEffect } from './http-faults.js';

/** Effects of faults before an answer begins: delays, or a replacement of the answer. */
export interface EarlyFaults {
  readonly before: readonly DeliveryStep[];
  readonly instead: Delivery | null;
}

/** Combines the faults of one call; the first that replaces the answer ends the list. */
export function deliverHttpFaults(
  faults: readonly HttpFault[],
  model: string,
  nowMs: number,
  headers: Readonly<Record<string, string>>,
  refuse: (error: ApiError) => Reply = errorReply,
): EarlyFaults {
  const before: DeliveryStep[] = [];
  for (const fault of faults) {
    const effect = httpFaultEffect(fault, model, nowMs, refuse);
    switch (effect.kind) {
      case 'reply':
        return { before, instead: { ...deliverReply(effect.reply, headers, false), before } };
      case 'reset':
        return { before, instead: silence([...before, { kind: 'reset' }]) };
      case 'hang':
        if (effect.ms === null) return { before, instead: silence([...before, { kind: 'hang' }]) };
        before.push({ kind: 'wait', ms: effect.ms });
        break;
      default:
        assertNever(effect);
    }
  }
  return { before, instead: null };
}

function silence(before: readonly DeliveryStep[]): Delivery {
  return { before, status: 200, headers: {}, body: [] };
}
