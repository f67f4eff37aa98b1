import type { PendingCall } from '#libs/payloads';
import {
  Journal,
  type JournalBatch,
  type JournalEntry,
  type RunStep,
  type Settlement,
} from '#libs/agent-core';
import { InMemoryExecution } from './in-memory-execution.js';

export class WorkerDied extends Error {}

/** The journal of one claim in memory. It can let its worker die right before or right after its n-th write. */
export class InMemoryJournal extends Journal {
  /** How many writes there were: each stands for one commit. */
  commits = 0;
  private nextSequence = 1;
  private death: { readonly at: number; readonly when: 'before' | 'after' } | null = null;

  constructor(
    private readonly execution = new InMemoryExecution(),
    private epoch = execution.claim(),
  ) {
    super();
  }

  get entries(): readonly JournalEntry[] {
    return this.execution.facts.map((fact) => fact.entry);
  }

  get settlements(): readonly Settlement[] {
    return this.execution.settlements;
  }

  get steps(): ReadonlyMap<string, RunStep> {
    return this.execution.steps;
  }

  dieAt(at: number, when: 'before' | 'after'): this {
    this.death = { at: this.commits + at, when };
    return this;
  }

  /** Another worker claims the same execution; false when there is nothing left to claim. */
  revive(): boolean {
    this.death = null;
    if (this.execution.status === 'settled') return false;
    this.epoch = this.execution.claim();
    return true;
  }

  override async read(): Promise<readonly JournalEntry[]> {
    await Promise.resolve();
    const entries = structuredClone(this.entries);
    this.nextSequence = entries.length + 1;
    return entries;
  }

  override append(batch: JournalBatch): Promise<void> {
    return this.write(batch, () => undefined);
  }

  override park(batch: JournalBatch, calls: readonly PendingCall[]): Promise<void> {
    return this.write(batch, () => this.execution.park(calls));
  }

  override settle(batch: JournalBatch, settlement: Settlement): Promise<void> {
    return this.write(batch, () => this.execution.settle(settlement));
  }

  private async write(batch: JournalBatch, close: () => void): Promise<void> {
    await Promise.resolve();
    this.commits += 1;
    const isLast = this.death?.at === this.commits;
    if (isLast && this.death?.when === 'before') throw new WorkerDied();
    this.nextSequence = this.execution.write(this.epoch, this.nextSequence, batch);
    close();
    if (isLast) throw new WorkerDied();
  }
}
