import { nextAttemptDelay } from './retry-schedule.js';
import type { SendResult } from './webhook-sender.js';

export type DeliveryJudgement =
  | { readonly kind: 'delivered' }
  | { readonly kind: 'retry'; readonly delayMs: number }
  | { readonly kind: 'exhausted' }
  | { readonly kind: 'endpoint_disabled' };

/**
 * Decides the consequence of an attempt: 2xx is success, 410 disables the endpoint, everything else (also a redirect) is
 * retried until the schedule ends.
 * @param attempt from 1
 * @param random 0 ≤ x < 1
 */
export function judgeDelivery(result: SendResult, attempt: number, random: number): DeliveryJudgement {
  if (result.kind === 'answered' && result.statusCode >= 200 && result.statusCode < 300)
    return { kind: 'delivered' };
  if (result.kind === 'answered' && result.statusCode === 410) return { kind: 'endpoint_disabled' };
  const delayMs = nextAttemptDelay(attempt, result.kind === 'answered' ? result.retryAfterMs : null, random);
  return delayMs === null ? { kind: 'exhausted' } : { kind: 'retry', delayMs };
}
