const MAX_TRIES = 8;
/** Maximum tries for failures that rarely pass: about 80 seconds in total. */
const FEW_TRIES = 5;
const FIRST_MS = 2_000;
const MAX_MS = 600_000;

/**
 * Milliseconds until the next try; null if there is none. Exponential backoff, at least the delay that the server asks
 * for, at most 10 minutes. Pure.
 *
 * @param tries consecutive failures before this one
 * @param hardlyPasses uses the lower maximum of tries
 */
export function retryAfter(tries: number, askedMs: number | null, hardlyPasses = false): number | null {
  if (tries + 1 >= (hardlyPasses ? FEW_TRIES : MAX_TRIES)) return null;
  return Math.min(MAX_MS, Math.max(FIRST_MS * 3 ** tries, askedMs ?? 0));
}
