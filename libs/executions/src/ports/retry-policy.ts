/** Retry policy for storage failures. */
export interface RetryPolicy {
  /** Waits before the next try, longer after each failure; false when the retry time has passed. */
  again(failedTries: number): Promise<boolean>;
}

export const NO_RETRY: RetryPolicy = { again: () => Promise.resolve(false) };
