import type { Clock, MonotonicClock } from '#libs/kernel';

/**
 * The time of day as the database had it when the execution was claimed, carried on by a clock that nobody can set: what an
 * attempt says of times agrees with what the database says, however wrong the machine's own clock is.
 */
export function attemptClock(claimedAtMs: number, clock: MonotonicClock): Clock {
  const begunAt = clock.monotonic();
  return {
    now: () => claimedAtMs + (clock.monotonic() - begunAt),
    monotonic: () => clock.monotonic(),
  };
}
