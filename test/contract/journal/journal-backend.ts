import type { Journal, RunStep } from '#libs/agent-core';

/** One accepted execution with its store, on which the contract of journals runs. */
export interface JournalBackend {
  /** Claims the execution, if necessary from another worker; returns the claim's journal, not yet read. */
  claim(): Promise<Journal>;
  /** Opens another journal of the latest claim, as a worker does that got the same claim twice. */
  reopen(): Journal;
  /** Ends the wait of the parked execution for a person, so that it can be claimed. */
  unpark(): Promise<void>;
  /** Makes the database forget the latest claim, as after the loss of its last transactions. */
  forgetClaim(): Promise<void>;
  /** Epochs of all facts in the order of the journal. */
  epochs(): Promise<readonly number[]>;
  /** Statuses of the audit rows. */
  stepStatuses(): Promise<readonly RunStep['status'][]>;
  /** Number of settlements of the execution. */
  settlements(): Promise<number>;
}
