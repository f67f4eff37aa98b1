/** Tries of one task; two and a half hours from the first to the last. */
export const MOST_TRIES = 8;

/** Until the next look at a task that this release does not know: a worker of one that does is there soon. */
export const UNKNOWN_DELAY_MS = 30_000;

const FIRST_DELAY_MS = 5_000;
const LONGEST_DELAY_MS = 3_600_000;

/**
 * Milliseconds until the next try: four times as long each time, from five seconds to an hour; longer where the other side
 * asks for it, and never longer than an hour.
 */
export function delayAfter(tryNumber: number, askedMs = 0): number {
  const ownMs = FIRST_DELAY_MS * 4 ** (tryNumber - 1);
  return Math.min(Math.max(ownMs, askedMs), LONGEST_DELAY_MS);
}
