import type { AttemptRecord, DeliveryVerdict } from '#libs/persistence';
import type { SendResult } from './webhook-sender.js';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Delays before the 2nd, 3rd, … attempt in milliseconds, as recommended by Standard Webhooks. */
const DELAYS = [
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
];
const JITTER = 0.2;

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

/**
 * Milliseconds until the next attempt; null if there is none.
 * @param failedAttempts from 1
 * @param retryAfterMs delay requested by the receiver in milliseconds; it can lengthen the wait up to one day, never
 * shorten it
 * @param random 0 ≤ x < 1; spreads the wait over 20 %, so that receivers do not get all retries at once
 */
export function nextAttemptDelay(
  failedAttempts: number,
  retryAfterMs: number | null,
  random: number,
): number | null {
  const planned = DELAYS[failedAttempts - 1];
  if (planned === undefined) return null;
  const spread = Math.round(planned * (1 + JITTER * random));
  return Math.max(spread, Math.min(retryAfterMs ?? 0, 24 * HOUR));
}

/** Health of a receiver according to one attempt. */
export type ReceiverVerdict = AttemptRecord['receiver'];

/** Number of consecutive failures that pauses the receiver. */
const FAILURE_THRESHOLD = 10;
const MIN_PAUSE_MS = 30_000;
const MAX_PAUSE_MS = 15 * 60_000;

/**
 * 2xx works; 410 only concerns this endpoint; any other status, and no response, fails. A message that could not be
 * signed is not the receiver's fault.
 */
export function evaluateReceiver(result: SendResult): ReceiverVerdict {
  if (result.kind === 'unanswered') return result.reason === 'invalid_secret' ? 'unknown' : 'fails';
  if (result.statusCode >= 200 && result.statusCode < 300) return 'works';
  return result.statusCode === 410 ? 'unknown' : 'fails';
}

/**
 * Pause of a receiver in milliseconds: 30 seconds, doubled after every further failure, at most 15 minutes. Null below
 * the threshold.
 *
 * @param consecutiveFailures from 1
 * @param random 0 ≤ x < 1; adds up to 20 % of jitter
 */
export function pauseAfter(consecutiveFailures: number, random: number): number | null {
  if (consecutiveFailures < FAILURE_THRESHOLD) return null;
  const doublings = Math.min(consecutiveFailures - FAILURE_THRESHOLD, 16);
  const planned = Math.min(MIN_PAUSE_MS * 2 ** doublings, MAX_PAUSE_MS);
  return Math.round(planned * (1 + JITTER * random));
}
