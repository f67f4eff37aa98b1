import { carryFrames } from '../faults/carry-frames.js';
import type { StreamFault } from '../faults/fault-schema.js';
import { planTransport } from '../faults/transport-plan.js';
import type { Delivery } from './delivery.js';
import type { Reply } from './reply.js';

/** Delivery of a complete answer. `isAnswer` is false for an error in place of the answer. */
export function deliverReply(
  reply: Reply,
  headers: Readonly<Record<string, string>>,
  isAnswer: boolean,
  faults: readonly StreamFault[] = [],
): Delivery {
  const frames = reply.body === '' ? [] : [{ text: reply.body, delayMs: 0, isTerminal: isAnswer }];
  return {
    before: [],
    status: reply.status,
    headers: { ...headers, ...reply.headers, 'content-type': reply.contentType },
    body: carryFrames(frames, planTransport(faults, frames.length), false),
  };
}
