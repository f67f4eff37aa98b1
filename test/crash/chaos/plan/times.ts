/** How long everything takes that waits for something lost. */
export interface Times {
  readonly leaseSeconds: number;
  /** How long the backlog may take to drain after the last fault. */
  readonly drainLimitMs: number;
}

/** Waiting is shortened, so that a run of minutes sees many of everything. */
export const SCALED: Times = { leaseSeconds: 4, drainLimitMs: 60_000 };
