import type { TaskPace } from '#libs/tooling';

/** Maximum tries of one task. */
export const MOST_TRIES = 8;

/** Milliseconds until the next try of a task that this release does not know: a worker of a later one may be up by then. */
export const UNKNOWN_DELAY_MS = 30_000;

/** Pace of a task without its own: two and a half hours from the first try to the last. */
const DEFAULT_PACE: TaskPace = { firstDelayMs: 5_000, longestDelayMs: 3_600_000 };

/**
 * Milliseconds until the next try: four times as long each time; longer where the other side asks for it, and never longer
 * than the longest delay of the pace.
 */
export function delayAfter(
  tryNumber: number,
  { firstDelayMs, longestDelayMs }: TaskPace = DEFAULT_PACE,
  askedMs = 0,
): number {
  return Math.min(Math.max(firstDelayMs * 4 ** (tryNumber - 1), askedMs), longestDelayMs);
}
