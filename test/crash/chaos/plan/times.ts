/** How long everything takes that waits for something lost, and what is done to it. */
export interface Times {
  readonly name: 'scaled' | 'production';
  readonly leaseSeconds: number;
  readonly executionTimeoutSeconds: number;
  readonly dispatchIntervalMs: number;
  readonly dispatchAgainSeconds: number;
  readonly shutdownGraceSeconds: number;
  /** How long a worker may compute without a pause. */
  readonly hangLimitSeconds: number;
  /** After how long a database connection that does not answer is given up, and how often an idle one is asked. */
  readonly statementSeconds: number;
  readonly pingSeconds: number;
  /** How long a model may leave a call without a byte. */
  readonly firstByteSeconds: number;
  /** Of what the queue and deliveries wait for whoever died in the middle, which is no setting. */
  readonly queue: 'short' | 'production';
  /** Between two faults, from … to. */
  readonly betweenFaultsMs: readonly [number, number];
  /** So many times as much lies between them as usual; the backlog may take so many times as long. */
  readonly pace: number;
  readonly longestFreezeMs: number;
  /** How long the backlog may take to drain after the last fault. */
  readonly drainLimitMs: number;
}

/** Waiting is shortened, so that a run of minutes sees many of everything. */
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

/** What a deployment has that sets none of these. */
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

/** The same, for a machine that needs so many times as long to start a process, and to end what hangs. Pure. */
export function atPace(times: Times, pace: number): Times {
  const [from, to] = times.betweenFaultsMs;
  const drainLimitMs = times.drainLimitMs * pace;
  return { ...times, pace, drainLimitMs, betweenFaultsMs: [from * pace, to * pace] };
}
