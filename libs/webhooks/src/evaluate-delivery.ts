import { nextAttemptDelay } from './retry-schedule.js';
import type { SendResult } from './webhook-sender.js';

export type DeliveryVerdict =
  | { readonly kind: 'delivered' }
  | { readonly kind: 'retry'; readonly delayMs: number }
  | { readonly kind: 'exhausted' }
  | { readonly kind: 'endpoint_disabled' };

/**
 * Next step after an attempt: 2xx is success, 410 disables the endpoint, and any other result, including a redirect, is
 * retried until the schedule is exhausted.
 *
 * @param attempt from 1
 * @param random 0 ≤ x < 1
 */
export function evaluateDelivery(result: SendResult, attempt: number, random: number): DeliveryVerdict {
  if (result.kind === 'answered' && result.statusCode >= 200 && result.statusCode < 300)
    return { kind: 'delivered' };
  if (result.kind === 'answered' && result.statusCode === 410) return { kind: 'endpoint_disabled' };
  const delayMs = nextAttemptDelay(attempt, result.kind === 'answered' ? result.retryAfterMs : null, random);
  return delayMs === null ? { kind: 'exhausted' } : { kind: 'retry', delayMs };
}
