const MOST_TRIES = 8;
/** Of what hardly ever passes: it is over within a minute and a half. */
const FEW_TRIES = 5;
const FIRST_MS = 2_000;
const LONGEST_MS = 600_000;

/**
 * Pure: after how many milliseconds what has failed is tried again, longer each time, and never sooner than whoever refused
 * it asks for; null: not again.
 *
 * @param tries failures before this one
 * @param hardlyPasses it is given up sooner
 */
export function retryAfter(tries: number, askedMs: number | null, hardlyPasses = false): number | null {
  if (tries + 1 >= (hardlyPasses ? FEW_TRIES : MOST_TRIES)) return null;
  return Math.min(LONGEST_MS, Math.max(FIRST_MS * 3 ** tries, askedMs ?? 0));
}
