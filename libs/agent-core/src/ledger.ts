import { EMPTY_STATE, foldEntries, type ExecutionState } from './execution-state.js';
import type { JournalEntry } from './journal-entry.js';
import { observedOutcomes } from './observed-outcome.js';
import type { Journal, JournalBatch } from './ports/journal.js';
import { LeaseLostError } from './ports/lease-lost-error.js';
import { projectRunSteps } from './run-step.js';
import { decisionsSinceLastAttempt, type DecisionFact } from './taken-decisions.js';
import { ROOT, type ScopePath } from './scopes/scope-path.js';

/**
 * State plus the facts that are folded into it but not yet durable. All scopes of an attempt share one, and with it the
 * appends: while one is under way, the facts of the others are collected for the next.
 *
 * Facts lag where only work that may be repeated would be lost with them, and are firm otherwise.
 */
export class Ledger {
  private uncommitted: JournalEntry[] = [];
  /** Whether there are firm ones among them. */
  private isFirm = false;
  private writing: Promise<void> = Promise.resolve();
  private next: Promise<void> | null = null;
  /** Resolves when every firm fact that an append has taken up is durable. */
  private firm: Promise<void> = Promise.resolve();
  private failure: { readonly error: unknown } | null = null;
  private isClosed = false;

  private constructor(
    private readonly journal: Journal,
    public state: ExecutionState,
    /** The decisions of people that this attempt goes on by. */
    readonly decisions: readonly DecisionFact[],
  ) {}

  static async open(journal: Journal): Promise<Ledger> {
    const facts = await journal.read();
    return new Ledger(journal, foldEntries(facts, EMPTY_STATE), decisionsSinceLastAttempt(facts));
  }

  /** Synchronous, so that what was decided on a state is noted before anybody decides on it again. */
  note(scope: ScopePath, entries: readonly JournalEntry[], { mayLag = false } = {}): void {
    const facts = scope === ROOT ? entries : entries.map((entry) => inScope(scope, entry));
    this.state = foldEntries(facts, this.state);
    this.uncommitted.push(...facts);
    if (facts.length > 0 && !mayLag) this.isFirm = true;
  }

  /** As `commit`, of an attempt that stops. Where that fails, what is left is with the journal, to be handed over. */
  async commitLast(): Promise<void> {
    try {
      await this.commit();
    } catch (error) {
      await this.letGo().catch(() => undefined);
      throw error;
    }
  }

  /** Resolves when everything noted before this call is durable. After a write that failed, so does every later one. */
  commit(): Promise<void> {
    if (this.uncommitted.length === 0) return this.next ?? this.writing;
    this.next ??= quietly(this.writing.then(() => this.write()));
    return this.next;
  }

  /** Begins to write everything noted before this call, and resolves when what is firm of it is durable. */
  async commitFirm(): Promise<void> {
    const everything = this.commit();
    await (this.isFirm ? everything : this.firm);
    this.assertWritable();
  }

  /** Begins to write everything noted before this call. Throws where a write has failed that nobody has waited for. */
  commitBehind(): void {
    this.assertWritable();
    void this.commit();
  }

  /** What is left for the last write, and for nobody else: everything before it is durable. */
  async close(): Promise<JournalBatch> {
    await this.standStill();
    try {
      this.assertWritable();
    } catch (error) {
      await this.letGo().catch(() => undefined);
      throw error;
    }
    return this.takeUncommitted();
  }

  /**
   * The last try of an attempt that has to stop, whatever its reason: what became known is still a fact, unless somebody has
   * taken over; only the fence can say. Without it an `unsafe` call would count as one of which nobody knows what became.
   */
  async letGo(): Promise<void> {
    await this.standStill();
    if (this.uncommitted.length === 0) return;
    const batch = this.takeUncommitted();
    if (this.failure?.error instanceof LeaseLostError) {
      // Without the facts that were refused these stand for nothing, even if a crash of the database brings the claim back.
      await this.journal.recordLateOutcomes(observedOutcomes(batch.entries));
      return;
    }
    try {
      await this.journal.append(batch);
    } catch (error) {
      if (!(error instanceof LeaseLostError)) throw error;
    }
  }

  /** Throws what a write has failed with that nobody may have waited for. */
  private assertWritable(): void {
    if (this.failure !== null) throw this.failure.error;
  }

  /** No further append begins, and the one under way has ended, however that may be. */
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

/** Whoever needs it waits for it; that nobody does is not a failure of its own. */
function quietly(writing: Promise<void>): Promise<void> {
  writing.catch(() => undefined);
  return writing;
}

/** A loop inside the execution ends as a scope; only the root ends the execution. */
function inScope(scope: ScopePath, entry: JournalEntry): JournalEntry {
  if (entry.scope !== undefined) return entry;
  if (entry.kind !== 'execution_settled') return { ...entry, scope };
  return { kind: 'scope_settled', scope, outcome: entry.outcome };
}
