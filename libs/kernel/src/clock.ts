/** A clock passed as an argument, so that pure code stays pure and tests control time. */
export interface Clock {
  /**
   * Milliseconds since the Unix epoch, for display. The system may set it forward or back, so no decision depends on
   * it.
   */
  now(): number;
  /** Milliseconds since an arbitrary moment, never adjusted: for leases, timeouts and durations. */
  monotonic(): number;
}

/** A clock for durations only. */
export type MonotonicClock = Pick<Clock, 'monotonic'>;

export const systemClock: Clock = { now: () => Date.now(), monotonic: () => performance.now() };

/** Timers passed as an argument, so that tests need not wait. */
export interface Timers {
  /** Calls `act` once, in `ms` milliseconds, unless the returned function is called before. */
  after(ms: number, act: () => void): () => void;
}

export const systemTimers: Timers = {
  after: (ms, act) => {
    const timer = setTimeout(act, ms);
    return () => {
      clearTimeout(timer);
    };
  },
};

/** Calls `act` every `ms` milliseconds until the returned function is called. */
export function every(timers: Timers, ms: number, act: () => void): () => void {
  let cancel = timers.after(ms, turn);
  function turn(): void {
    cancel = timers.after(ms, turn);
    act();
  }
  return () => {
    cancel();
  };
}

/** Resolves after `ms` milliseconds or when `signal` aborts; never rejects. */
export function pause(timers: Timers, ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) {
      resolve();
      return;
    }
    const cancel = timers.after(ms, end);
    signal?.addEventListener('abort', stop);
    function end(): void {
      signal?.removeEventListener('abort', stop);
      resolve();
    }
    function stop(): void {
      cancel();
      end();
    }
  });
}

/** The current time of day, continued by the monotonic clock, so that reported times never jump. Whole milliseconds. */
export function steadyTime(clock: Clock): () => number {
  const offset = clock.now() - clock.monotonic();
  return () => Math.round(offset + clock.monotonic());
}
