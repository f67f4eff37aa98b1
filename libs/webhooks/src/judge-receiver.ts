import type { SendResult } from './webhook-sender.js';

/** What an attempt says of the receiver. */
export type ReceiverJudgement = 'works' | 'fails' | 'unknown';

/** So many failures in a row are bad luck; with this one the receiver is paused. */
const PATIENCE = 10;
const SHORTEST_PAUSE_MS = 30_000;
const LONGEST_PAUSE_MS = 15 * 60_000;
const JITTER = 0.2;

/**
 * 2xx works and 410 says nothing but that this webhook is over; every other answer fails, and so does silence. What was
 * not sent because it could not be signed is no fault of the receiver.
 */
export function judgeReceiver(result: SendResult): ReceiverJudgement {
  if (result.kind === 'unanswered') return result.reason === 'invalid_secret' ? 'unknown' : 'fails';
  if (result.statusCode >= 200 && result.statusCode < 300) return 'works';
  return result.statusCode === 410 ? 'unknown' : 'fails';
}

/**
 * Milliseconds for which a receiver is left alone; twice as long after every trial that fails, up to a quarter of an hour.
 * Null while its failures are few.
 *
 * @param consecutiveFailures from 1
 * @param random 0 ≤ x < 1; spreads the pause over 20 %
 */
export function pauseAfter(consecutiveFailures: number, random: number): number | null {
  if (consecutiveFailures < PATIENCE) return null;
  const doublings = Math.min(consecutiveFailures - PATIENCE, 16);
  const planned = Math.min(SHORTEST_PAUSE_MS * 2 ** doublings, LONGEST_PAUSE_MS);
  return Math.round(planned * (1 + JITTER * random));
}
