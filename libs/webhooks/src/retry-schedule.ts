const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Before the 2nd, 3rd, … attempt; Standard Webhooks' recommendation. */
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
 * Milliseconds until the next attempt, or null when there is none.
 *
 * @param failedAttempts from 1
 * @param retryAfterMs the receiver's wish; it can lengthen the wait up to a day, never shorten it
 * @param random 0 ≤ x < 1; spreads the wait over 20 % so that receivers are not hit all at once
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
