/** Retry policy for storage failures. */
export interface Patience {
  /** Waits before the next try, longer after each failure; false when the retry time has passed. */
  again(failedTries: number): Promise<boolean>;
}

export const IMPATIENT: Patience = { again: () => Promise.resolve(false) };
