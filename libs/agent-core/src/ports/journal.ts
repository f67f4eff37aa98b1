import type { ExecutionResult, ExecutionView, PendingCall } from '#libs/payloads';
import type { JournalEntry } from '../journal-entry.js';
import type { ObservedOutcome } from '../observed-outcome.js';
import type { RunStep } from '../run-step.js';
import type { Settlement } from '../settlement.js';

/** Facts and the audit rows that mirror them: written together or not at all. */
export interface JournalBatch {
  readonly entries: readonly JournalEntry[];
  readonly runSteps: readonly RunStep[];
}

/**
 * The journal of one execution, opened by the worker that holds its lease. Every write is one transaction, fenced by
 * the token of the claim; a worker that was overtaken gets `LeaseLostError` and must not write anything more. What the facts
 * it came with say of its calls is kept as by `recordLateOutcomes`.
 */
export abstract class Journal {
  /**
   * All facts in their order. Throws `LeaseLostError` for a worker that was overtaken: it would go on from what its
   * successor wrote, with calls that are on nobody's bill.
   */
  abstract read(): Promise<readonly JournalEntry[]>;
  abstract append(batch: JournalBatch): Promise<void>;
  /** Parks the execution until a person has decided: facts, status and the webhook that says so. Answers how it waits. */
  abstract park(batch: JournalBatch, calls: readonly PendingCall[]): Promise<ExecutionView>;
  /**
   * Keeps what an attempt has seen of its calls after it lost the right to write, for people to read: it decides nothing.
   * Not fenced, and never part of the journal.
   */
  abstract recordLateOutcomes(observed: readonly ObservedOutcome[]): Promise<void>;
  /**
   * Writes for the next attempt what this one could not, the write it failed with: known outcomes, and that calls whose
   * intent has been committed never began. Under the fence of every write, so it may come late and more than once.
   */
  abstract handOver(): Promise<void>;
  /**
   * The last write: facts, status, messages, usage, staged changes and webhooks in the same transaction. Answers the
   * execution as it ended, also where it was a lost answer that had to be read again. Throws
   * `StagedChangeRefusedError`, and has written nothing, where a staged change does not fit the stored data.
   */
  abstract settle(batch: JournalBatch, settlement: Settlement): Promise<ExecutionResult>;
}
