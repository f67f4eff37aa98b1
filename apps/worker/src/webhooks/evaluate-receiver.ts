import type { AttemptRecord } from '#libs/persistence';
import type { SendResult } from './webhook-sender.js';

/** Health of a receiver according to one attempt. */
export type ReceiverVerdict = AttemptRecord['receiver'];

/** Number of consecutive failures that pauses the receiver. */
const FAILURE_THRESHOLD = 10;
const MIN_PAUSE_MS = 30_000;
const MAX_PAUSE_MS = 15 * 60_000;
const JITTER = 0.2;

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
