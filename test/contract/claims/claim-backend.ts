import type { Journal } from '#libs/agent-core';

/** What a worker has that got an execution. */
export interface TakenClaim {
  readonly epoch: number;
  readonly attempt: number;
  /** Somebody wants it to end. */
  readonly isCancelled: boolean;
  /** Its deadline has passed. */
  readonly isLate: boolean;
  readonly isSuspect: boolean;
  /** Only to be ended. */
  readonly isPoisoned: boolean;
  readonly followsLostAttempt: boolean;
  /** Its journal, not yet read. */
  readonly journal: Journal;
  /** Whether the lease is still this claim's. */
  renew(): Promise<boolean>;
  release(): Promise<void>;
  requeueWithBackoff(): Promise<boolean>;
  requeueCutOff(): Promise<boolean>;
  postpone(): Promise<boolean>;
  /** A process that held nothing else died of it; `enough` deaths make it poisoned. */
  dieInIsolation(enough: number): Promise<'requeued' | 'poisoned' | null>;
}

/** One accepted execution that several workers want; what the contract of claims is held against. */
export interface ClaimBackend {
  /** null: nothing to do now. */
  take(asker?: { readonly canIsolate: boolean }): Promise<TakenClaim | null>;
  /** The holder was silent for too long. */
  endLease(): Promise<void>;
  /** What it was put off for is over. */
  endDelay(): Promise<void>;
  endTime(): Promise<void>;
  requestCancel(): Promise<void>;
  status(): Promise<'queued' | 'running' | 'requires_action' | 'settled'>;
  /** The kinds of all facts in their order. */
  facts(): Promise<readonly string[]>;
}
