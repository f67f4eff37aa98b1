/** Time comes in as an argument, so that pure code stays pure and tests own the clock. */
export interface Clock {
  /** Milliseconds since the Unix epoch, for people to read. It can be set, forward and back: nothing is decided by it. */
  now(): number;
  /** Milliseconds since some moment of the past; nobody can set it. What leases, time-outs and durations are measured by. */
  monotonic(): number;
}

/** For who only measures how long something takes. */
export type MonotonicClock = Pick<Clock, 'monotonic'>;

export const systemClock: Clock = { now: () => Date.now(), monotonic: () => performance.now() };

/** The time of day as it was now, carried on by the monotonic clock: what is told with it never jumps. Whole milliseconds. */
export function steadyTime(clock: Clock): () => number {
  const offset = clock.now() - clock.monotonic();
  return () => Math.round(offset + clock.monotonic());
}
