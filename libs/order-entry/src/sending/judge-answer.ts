import { readRetryAfter, toStorableText } from '#libs/kernel';
import { z } from 'zod';
import type { SendFault } from './send-fault.js';

/** What came back, with as much of its body as is read. */
export interface OrderingAnswer {
  readonly status: number;
  /** As the header says it. */
  readonly retryAfter: string | null;
  readonly body: string;
}

export type AnswerVerdict =
  | { readonly kind: 'accepted'; readonly orderNumber: string }
  /** Another try would end no other way. */
  | { readonly kind: 'refused'; readonly fault: SendFault }
  | { readonly kind: 'passing'; readonly fault: SendFault; readonly afterMs: number | null };

/** As the services of this world answer an order; a number is taken as text, and as much of it as can be kept. */
const ACCEPTED = z.object({
  order_number: z.union([
    z.string().transform(toStorableText).pipe(z.string().min(1).max(100)),
    z.number().transform(String),
  ]),
});

/** Timeout, conflict with the same request still under way, too early, too many. */
const PASSING = new Set([408, 409, 425, 429]);
const REFUSED = new Set([400, 422]);

/**
 * What an answer of an ordering service means (RFC 9110, and the draft of `Idempotency-Key`: 409 while the same request is
 * under way, 422 for a key that stands for another order).
 *
 * @param now milliseconds since the epoch, which `Retry-After` may be relative to
 */
export function judgeAnswer({ status, retryAfter, body }: OrderingAnswer, now: number): AnswerVerdict {
  if (status >= 200 && status < 300) {
    const read = ACCEPTED.safeParse(parseJson(body));
    if (read.success) return { kind: 'accepted', orderNumber: read.data.order_number };
    return {
      kind: 'passing',
      fault: { code: 'answer_unreadable', status, arrived: 'perhaps' },
      afterMs: null,
    };
  }
  if (PASSING.has(status) || status >= 500)
    return {
      kind: 'passing',
      fault: { code: 'service_trouble', status, arrived: 'perhaps' },
      afterMs: readRetryAfter(retryAfter, now),
    };
  if (REFUSED.has(status))
    return { kind: 'refused', fault: { code: 'order_refused', status, arrived: 'nothing' } };
  // A redirect may be how a service answers what it has carried out (303); nobody follows it to see.
  const arrived = status >= 300 && status < 400 ? 'perhaps' : 'nothing';
  return { kind: 'refused', fault: { code: 'service_turned_away', status, arrived } };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}
