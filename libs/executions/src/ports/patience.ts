/** For how long somebody goes on trying while a store is in trouble. */
export interface Patience {
  /** Waits for the next try, longer after each; false when it is too late for one. */
  again(failedTries: number): Promise<boolean>;
}

export const IMPATIENT: Patience = { again: () => Promise.resolve(false) };
