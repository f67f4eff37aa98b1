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

/** Time that passes comes in as an argument as well: where tests own it, nothing waits. */
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

/**
 * The time of day as it was now, carried on by the monotonic clock: what is reported with it never jumps. Whole
 * milliseconds.
 */
export function steadyTime(clock: Clock): () => number {
  const offset = clock.now() - clock.monotonic();
  return () => Math.round(offset + clock.monotonic());
}
