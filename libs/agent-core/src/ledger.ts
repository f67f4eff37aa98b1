import { EMPTY_STATE, foldEntries, type ExecutionState } from './execution-state.js';
import type { JournalEntry } from './journal-entry.js';
import { observedOutcomes, type Journal, type JournalBatch } from './ports/journal.js';
import { LeaseLostError } from './ports/lease-lost-error.js';
import { projectRunSteps } from './run-step.js';
import { decisionsSinceLastAttempt, type DecisionFact } from './taken-decisions.js';
import { ROOT, type ScopePath } from './scopes/scope-path.js';

/**
 * Folded state plus the facts that are not yet durable, shared by all scopes of an attempt. One append runs at a time;
 * facts noted in the meantime are collected for the next one.
 *
 * A fact may lag if only repeatable work would be lost with it; any other fact is firm.
 */
export class Ledger {
  private uncommitted: JournalEntry[] = [];
  /** Whether any uncommitted fact is firm. */
  private isFirm = false;
  private writing: Promise<void> = Promise.resolve();
  private next: Promise<void> | null = null;
  /** Resolves when every firm fact handed to an append is durable. */
  private firm: Promise<void> = Promise.resolve();
  private failure: { readonly error: unknown } | null = null;
  private isClosed = false;

  private constructor(
    private readonly journal: Journal,
    public state: ExecutionState,
    /** Decisions of people since the last attempt, which this attempt acts on. */
    readonly decisions: readonly DecisionFact[],
  ) {}

  static async open(journal: Journal): Promise<Ledger> {
    const facts = await journal.read();
    return new Ledger(journal, foldEntries(facts, EMPTY_STATE), decisionsSinceLastAttempt(facts));
  }

  /** Synchronous, so that no scope decides on a state that lacks facts already derived from it. */
  note(scope: ScopePath, entries: readonly JournalEntry[], { mayLag = false } = {}): void {
    const facts = scope === ROOT ? entries : entries.map((entry) => inScope(scope, entry));
    this.state = foldEntries(facts, this.state);
    this.uncommitted.push(...facts);
    if (facts.length > 0 && !mayLag) this.isFirm = true;
  }

  /**
   * Commits for an attempt that stops. If the commit fails, the remaining facts are passed to the journal for
   * hand-over.
   */
  async commitLast(): Promise<void> {
    try {
      await this.commit();
    } catch (error) {
      await this.flushOnStop().catch(() => undefined);
      throw error;
    }
  }

  /** Resolves when everything noted before this call is durable. After a failed write, every later commit rejects. */
  commit(): Promise<void> {
    if (this.uncommitted.length === 0) return this.next ?? this.writing;
    this.next ??= quietly(this.writing.then(() => this.write()));
    return this.next;
  }

  /** Starts to write everything noted before this call; resolves when the firm facts among it are durable. */
  async commitFirm(): Promise<void> {
    const everything = this.commit();
    await (this.isFirm ? everything : this.firm);
    this.assertWritable();
  }

  /** Starts to write everything noted before this call. Throws if an earlier write that was not awaited has failed. */
  commitBehind(): void {
    this.assertWritable();
    void this.commit();
  }

  /** Closes the ledger and returns the facts for the settling write; everything before them is durable. */
  async close(): Promise<JournalBatch> {
    await this.standStill();
    try {
      this.assertWritable();
    } catch (error) {
      await this.flushOnStop().catch(() => undefined);
      throw error;
    }
    return this.takeUncommitted();
  }

  /**
   * Flushes the remaining facts of an attempt that has to stop: they stay true unless another worker has taken over,
   * which only the fence detects. Without the flush, the outcome of a finished `unsafe` call would count as unknown.
   */
  async flushOnStop(): Promise<void> {
    await this.standStill();
    if (this.uncommitted.length === 0) return;
    const batch = this.takeUncommitted();
    if (this.failure?.error instanceof LeaseLostError) {
      // Without the refused facts, these mean nothing, even if a database crash restores the claim.
      await this.journal.recordLateOutcomes(observedOutcomes(batch.entries));
      return;
    }
    try {
      await this.journal.append(batch);
    } catch (error) {
      if (!(error instanceof LeaseLostError)) throw error;
    }
  }

  /** Throws the error of a failed write, which may not have been awaited. */
  private assertWritable(): void {
    if (this.failure !== null) throw this.failure.error;
  }

  /** Stops further appends and waits for the current one to succeed or fail. */
  private async standStill(): Promise<void> {
    this.isClosed = true;
    await this.writing.catch(() => undefined);
  }

  private takeUncommitted(): JournalBatch {
    const entries = this.uncommitted;
    this.uncommitted = [];
    this.isFirm = false;
    return { entries, runSteps: projectRunSteps(entries, this.state) };
  }

  private write(): Promise<void> {
    this.next = null;
    if (this.isClosed) return Promise.resolve();
    const { isFirm } = this;
    this.writing = quietly(this.append(this.takeUncommitted()));
    if (isFirm) this.firm = this.writing;
    return this.writing;
  }

  private async append(batch: JournalBatch): Promise<void> {
    try {
      await this.journal.append(batch);
    } catch (error) {
      this.failure ??= { error };
      throw error;
    }
  }
}

/** Callers await the write where they need it; an unawaited rejection must not end the process. */
function quietly(writing: Promise<void>): Promise<void> {
  writing.catch(() => undefined);
  return writing;
}

/** Assigns a fact to its scope. An inner loop ends as a scope; only the root ends the execution. */
function inScope(scope: ScopePath, entry: JournalEntry): JournalEntry {
  if (entry.scope !== undefined) return entry;
  if (entry.kind !== 'execution_settled') return { ...entry, scope };
  return { kind: 'scope_settled', scope, outcome: entry.outcome };
}
