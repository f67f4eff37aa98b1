import type { ExecutionResult, ExecutionView, PendingCall } from '#libs/payloads';
import type { JournalEntry, CallPosition, ToolCallOutcome } from '../journal-entry.js';
import type { RunStep } from '../run-step.js';
import type { Settlement } from '../settlement.js';
import { ROOT, type ScopePath } from '../scopes/scope-path.js';
import { AppError } from '#libs/kernel';

/** Facts and the audit rows that mirror them, written in one transaction. */
export interface JournalBatch {
  readonly entries: readonly JournalEntry[];
  readonly runSteps: readonly RunStep[];
}

/**
 * The journal of one execution, opened by the worker that holds its lease. Every write is one transaction, fenced by
 * the claim token; a worker that was overtaken gets `LeaseLostError` and must not write again. The outcomes in its
 * refused facts are kept as by `recordLateOutcomes`.
 */
export abstract class Journal {
  /**
   * Returns all facts in order. Throws `LeaseLostError` for a worker that was overtaken, which would otherwise resume
   * from its successor's facts and make calls that no usage row records.
   */
  abstract read(): Promise<readonly JournalEntry[]>;
  abstract append(batch: JournalBatch): Promise<void>;
  /** Parks the execution until a person decides: writes facts, status and webhook. Returns the parked execution. */
  abstract park(batch: JournalBatch, calls: readonly PendingCall[]): Promise<ExecutionView>;
  /**
   * Stores outcomes that an attempt observed after it lost its lease, for people to read; they decide nothing. Not
   * fenced, and never part of the journal.
   */
  abstract recordLateOutcomes(observed: readonly ObservedOutcome[]): Promise<void>;
  /**
   * Writes the facts of a failed write for the next attempt: known outcomes, and calls with a committed intent that
   * never began. Fenced like every write, so it may run late and more than once.
   */
  abstract handOver(): Promise<void>;
  /**
   * The settling write: facts, status, messages, usage, staged changes and webhooks in one transaction. Returns the
   * settled execution, which is read again if the database's response was lost. Throws `StagedChangeRefusedError`, with
   * nothing written, if a staged change does not fit the stored data.
   */
  abstract settle(batch: JournalBatch, settlement: Settlement): Promise<ExecutionResult>;
}

/** The outcome of a call, observed by a worker that has lost its lease and may not write the journal. */
export interface ObservedOutcome extends CallPosition {
  readonly scope: ScopePath;
  readonly outcome: Extract<ToolCallOutcome, { status: 'succeeded' | 'failed' }>;
}

/** Extracts the outcomes that a tool returned; refused calls and unknown outcomes were not observed. */
export function observedOutcomes(entries: readonly JournalEntry[]): ObservedOutcome[] {
  return entries.flatMap((entry) => {
    if (entry.kind !== 'tool_call_settled') return [];
    const { scope = ROOT, round, position, outcome } = entry;
    return outcome.status === 'succeeded' || outcome.status === 'failed'
      ? [{ scope, round, position, outcome }]
      : [];
  });
}

/**
 * A staged change no longer fits the stored data, e.g. its row was deleted, or this release cannot read its shape. A
 * retry cannot succeed either, so the execution ends with this error.
 */
export class StagedChangeRefusedError extends AppError {
  constructor(changeKind: string, cause: unknown) {
    super({
      code: 'STAGED_CHANGE_REFUSED',
      kind: 'conflict',
      message: `a staged change no longer fits the stored data: ${changeKind}`,
      details: { changeKind },
      cause,
    });
  }
}
