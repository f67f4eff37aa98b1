import { EMPTY_STATE, foldEntries, type ExecutionState } from './execution-state.js';
import type { JournalEntry } from './journal-entry.js';
import type { Journal, JournalBatch } from './ports/journal.js';
import { LeaseLostError } from './ports/lease-lost-error.js';
import { projectRunSteps } from './run-step.js';
import { ROOT, type ScopePath } from './scopes/scope-path.js';

/**
 * State plus the facts that are folded into it but not yet durable. All scopes of an attempt share one, and with it the
 * appends: while one is under way, whatever the others note is collected for the next.
 */
export class Ledger {
  private uncommitted: JournalEntry[] = [];
  private writing: Promise<void> = Promise.resolve();
  private next: Promise<void> | null = null;

  private constructor(
    private readonly journal: Journal,
    public state: ExecutionState,
  ) {}

  static async open(journal: Journal): Promise<Ledger> {
    return new Ledger(journal, foldEntries(await journal.read(), EMPTY_STATE));
  }

  /** Synchronous, so that what was decided on a state is noted before anybody decides on it again. */
  note(scope: ScopePath, entries: readonly JournalEntry[]): void {
    const facts = scope === ROOT ? entries : entries.map((entry) => inScope(scope, entry));
    this.state = foldEntries(facts, this.state);
    this.uncommitted.push(...facts);
  }

  takeUncommitted(): JournalBatch {
    const entries = this.uncommitted;
    this.uncommitted = [];
    return { entries, runSteps: projectRunSteps(entries, this.state) };
  }

  /** Resolves when everything noted before this call is durable. After a write that failed, so does every later one. */
  commit(): Promise<void> {
    if (this.uncommitted.length === 0) return this.next ?? this.writing;
    this.next ??= this.writing.then(() => this.write());
    return this.next;
  }

  /**
   * The last try of an attempt that has to stop, whatever its reason: what became known is still a fact, unless somebody has
   * taken over; only the fence can say. Without it an `unsafe` call would count as one of which nobody knows what became.
   */
  async letGo(): Promise<void> {
    if (this.uncommitted.length === 0) return;
    try {
      await this.journal.append(this.takeUncommitted());
    } catch (error) {
      if (!(error instanceof LeaseLostError)) throw error;
    }
  }

  private write(): Promise<void> {
    this.next = null;
    this.writing = this.journal.append(this.takeUncommitted());
    return this.writing;
  }
}

/** A loop inside the execution ends as a scope; only the root ends the execution. */
function inScope(scope: ScopePath, entry: JournalEntry): JournalEntry {
  if (entry.scope !== undefined) return entry;
  if (entry.kind !== 'execution_settled') return { ...entry, scope };
  return { kind: 'scope_settled', scope, outcome: entry.outcome };
}
