import { z } from 'zod';
import { toStorableText } from '../texts.ts';
import { readRetryAfter } from './retry-after.ts';
import type { SendFault } from './send-fault.ts';

/** HTTP answer of an ordering service, with its body truncated. */
export interface OrderingAnswer {
  readonly status: number;
  /** Value of `Retry-After`. */
  readonly retryAfter: string | null;
  readonly body: string;
}

export type AnswerVerdict =
  | { readonly kind: 'accepted'; readonly orderNumber: string }
  /** A retry would fail the same way. */
  | { readonly kind: 'refused'; readonly fault: SendFault }
  | { readonly kind: 'passing'; readonly fault: SendFault; readonly afterMs: number | null };

/** Body of an acceptance. A numeric order number is converted to text. */
const ACCEPTED = z.object({
  order_number: z.union([
    z.string().transform(toStorableText).pipe(z.string().min(1).max(100)),
    z.number().transform(String),
  ]),
});

/** Timeout, conflict with the same request in progress, too early, too many. */
const PASSING = new Set([408, 409, 425, 429]);
const REFUSED = new Set([400, 422]);

/**
 * Classifies an answer of an ordering service (RFC 9110, and the `Idempotency-Key` draft: 409 while the same request is in
 * progress, 422 for a key that was used for another order).
 * @param now Unix time in ms, for a relative `Retry-After`
 */
export function evaluateAnswer({ status, retryAfter, body }: OrderingAnswer, now: number): AnswerVerdict {
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
  // A redirect may answer an accepted order (303), and the client does not follow it.
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
