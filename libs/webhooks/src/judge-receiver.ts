import type { SendResult } from './webhook-sender.js';

/** Evidence of an attempt about its receiver. */
export type ReceiverJudgement = 'works' | 'fails' | 'unknown';

/** Number of consecutive failures at which the receiver is paused. */
const PATIENCE = 10;
const SHORTEST_PAUSE_MS = 30_000;
const LONGEST_PAUSE_MS = 15 * 60_000;
const JITTER = 0.2;

/**
 * `works` for 2xx; `unknown` for 410, which concerns only this webhook, and for messages that could not be signed;
 * `fails` for any other response and for none.
 */
export function judgeReceiver(result: SendResult): ReceiverJudgement {
  if (result.kind === 'unanswered') return result.reason === 'invalid_secret' ? 'unknown' : 'fails';
  if (result.statusCode >= 200 && result.statusCode < 300) return 'works';
  return result.statusCode === 410 ? 'unknown' : 'fails';
}

/**
 * Pause of a receiver in milliseconds; doubles with each further failure, up to 15 minutes. Null while failures are few.
 * @param consecutiveFailures from 1
 * @param random 0 ≤ x < 1; spreads the pause over 20 %
 */
export function pauseAfter(consecutiveFailures: number, random: number): number | null {
  if (consecutiveFailures < PATIENCE) return null;
  const doublings = Math.min(consecutiveFailures - PATIENCE, 16);
  const planned = Math.min(SHORTEST_PAUSE_MS * 2 ** doublings, LONGEST_PAUSE_MS);
  return Math.round(planned * (1 + JITTER * random));
}
