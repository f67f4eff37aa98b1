const BASE_MS = 500;
const MAX_BACKOFF_MS = 10_000;
const MAX_WISH_MS = 60_000;

/**
 * Milliseconds before the next try of a model call: the provider's request up to one minute, else exponential backoff
 * with jitter over its upper half. The deadline ends the wait by its signal.
 *
 * @param failedTries failed tries of this round, from 1
 * @param random 0 ≤ x < 1
 */
export function retryDelay(failedTries: number, retryAfterMs: number | null, random: number): number {
  const backoff = Math.min(MAX_BACKOFF_MS, BASE_MS * 2 ** (failedTries - 1)) * (0.5 + random / 2);
  const wanted = retryAfterMs === null ? backoff : Math.min(MAX_WISH_MS, retryAfterMs);
  return Math.max(0, wanted);
}
