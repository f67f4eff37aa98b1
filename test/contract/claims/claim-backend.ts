import type { Journal } from '#libs/agent-core';

/** A worker's claim of an execution, with the operations that the contract calls. */
export interface TakenClaim {
  readonly epoch: number;
  readonly attempt: number;
  /** A client has requested cancellation. */
  readonly isCancelled: boolean;
  /** The deadline of the execution has passed. */
  readonly isLate: boolean;
  readonly isSuspect: boolean;
  readonly needsFreshProcess: boolean;
  /** The worker may only fail the execution, not run it. */
  readonly isPoisoned: boolean;
  readonly followsLostAttempt: boolean;
  /** Journal of the claim, not yet read. */
  readonly journal: Journal;
  /** Extends the lease; false if this claim no longer holds it. */
  renew(): Promise<boolean>;
  release(): Promise<void>;
  requeueWithBackoff(): Promise<boolean>;
  requeueCutOff(): Promise<boolean>;
  postpone(): Promise<boolean>;
  /** Records that a process died that ran only this execution; `enough` deaths make the execution poisoned. */
  dieInIsolation(enough: number): Promise<'requeued' | 'poisoned' | null>;
}

/** One accepted execution for which several workers compete, on the backend under test. */
export interface ClaimBackend {
  /** Claims the execution; null if no worker may claim it now. */
  take(asker?: { readonly canIsolate: boolean }): Promise<TakenClaim | null>;
  /** Expires the lease, as if its holder had stopped renewing it. */
  endLease(): Promise<void>;
  /** Ends the backoff or wait of the execution, so that it is due now. */
  endDelay(): Promise<void>;
  endTime(): Promise<void>;
  requestCancel(): Promise<void>;
  status(): Promise<'queued' | 'running' | 'requires_action' | 'settled'>;
  /** Kinds of all facts in the order of the journal. */
  facts(): Promise<readonly string[]>;
}
