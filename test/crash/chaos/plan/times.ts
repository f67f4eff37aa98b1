/** The intervals after which lost work is found, and the pace of the faults. */
export interface Times {
  readonly name: 'scaled' | 'production';
  readonly leaseSeconds: number;
  readonly executionTimeoutSeconds: number;
  readonly dispatchIntervalMs: number;
  readonly dispatchAgainSeconds: number;
  readonly shutdownGraceSeconds: number;
  /** Seconds that a worker may block its event loop. */
  readonly hangLimitSeconds: number;
  /** Seconds until a database connection without an answer is given up, and between pings of an idle one. */
  readonly statementSeconds: number;
  readonly pingSeconds: number;
  /** Seconds that a model may take to send its first byte. */
  readonly firstByteSeconds: number;
  /** How long the queue and webhook deliveries wait for a worker that died; no setting of a deployment. */
  readonly queue: 'short' | 'production';
  /** Milliseconds between two faults, from and to. */
  readonly betweenFaultsMs: readonly [number, number];
  /** The factor by which the time between faults, the drain limit and the time of an execution are longer than usual. */
  readonly pace: number;
  readonly longestFreezeMs: number;
  /** Milliseconds that the backlog may take to drain after the last fault. */
  readonly drainLimitMs: number;
}

/** Shortened intervals, so that a run of minutes meets each situation many times. */
export const SCALED: Times = {
  name: 'scaled',
  leaseSeconds: 4,
  executionTimeoutSeconds: 300,
  dispatchIntervalMs: 200,
  dispatchAgainSeconds: 3,
  shutdownGraceSeconds: 5,
  hangLimitSeconds: 5,
  statementSeconds: 5,
  pingSeconds: 1,
  firstByteSeconds: 15,
  queue: 'short',
  betweenFaultsMs: [700, 1_400],
  pace: 1,
  longestFreezeMs: 6_000,
  drainLimitMs: 60_000,
};

/** The defaults of a deployment that sets none of these. */
export const PRODUCTION: Times = {
  name: 'production',
  leaseSeconds: 45,
  executionTimeoutSeconds: 300,
  dispatchIntervalMs: 1_000,
  dispatchAgainSeconds: 30,
  shutdownGraceSeconds: 20,
  hangLimitSeconds: 30,
  statementSeconds: 20,
  pingSeconds: 5,
  firstByteSeconds: 60,
  queue: 'production',
  betweenFaultsMs: [4_000, 8_000],
  pace: 1,
  longestFreezeMs: 60_000,
  drainLimitMs: 180_000,
};

/** The same times for a machine that starts processes, and ends hung ones, so many times slower. Pure. */
export function atPace(times: Times, pace: number): Times {
  const [from, to] = times.betweenFaultsMs;
  const drainLimitMs = times.drainLimitMs * pace;
  const executionTimeoutSeconds = times.executionTimeoutSeconds * pace;
  return { ...times, pace, drainLimitMs, executionTimeoutSeconds, betweenFaultsMs: [from * pace, to * pace] };
}
