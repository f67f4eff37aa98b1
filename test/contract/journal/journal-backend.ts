import type { Journal, RunStep } from '#libs/agent-core';

/** One accepted execution and its store; what the contract of journals is held against. */
export interface JournalBackend {
  /** A worker takes the execution, from another one if need be; answers its journal, not yet read. */
  claim(): Promise<Journal>;
  /** One more journal of the latest claim, as a worker has that got the same claim twice. */
  reopen(): Journal;
  /** A person has decided: what was parked can be claimed. */
  unpark(): Promise<void>;
  /** The database loses its last moments: it does not know of the latest claim. */
  forgetClaim(): Promise<void>;
  /** The epochs of all facts in their order. */
  epochs(): Promise<readonly number[]>;
  /** The audit rows, by their status. */
  stepStatuses(): Promise<readonly RunStep['status'][]>;
  /** How often it was settled. */
  settlements(): Promise<number>;
}
