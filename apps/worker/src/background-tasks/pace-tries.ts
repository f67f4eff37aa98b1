import type { TaskPace } from '#libs/tooling';

/** Maximum tries of one task. */
export const MAX_TRIES = 8;

/** Delay in milliseconds before a task unknown to this release is retried; a worker of a later release may run by then. */
export const UNKNOWN_DELAY_MS = 30_000;

/** Default pace: two and a half hours from the first try to the last. */
const DEFAULT_PACE: TaskPace = { firstDelayMs: 5_000, longestDelayMs: 3_600_000 };

/**
 * Delay until the next try, in milliseconds: quadruples with each try, respects the delay that the receiver requests, and
 * never exceeds `longestDelayMs`.
 */
export function delayAfter(
  tryNumber: number,
  { firstDelayMs, longestDelayMs }: TaskPace = DEFAULT_PACE,
  askedMs = 0,
): number {
  return Math.min(Math.max(firstDelayMs * 4 ** (tryNumber - 1), askedMs), longestDelayMs);
}
