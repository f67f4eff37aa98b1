import type { PendingCall } from '#libs/payloads';
import {
  Journal,
  type JournalBatch,
  type JournalEntry,
  type ObservedOutcome,
  type RunStep,
  type Settlement,
} from '#libs/agent-core';

export class WorkerDied extends Error {}

/** A journal in memory that can let its worker die right before or right after its n-th write. */
export class InMemoryJournal extends Journal {
  readonly entries: JournalEntry[] = [];
  readonly steps = new Map<string, RunStep>();
  readonly settlements: Settlement[] = [];
  readonly parked: (readonly PendingCall[])[] = [];
  readonly testimony: ObservedOutcome[] = [];
  /** How many writes there were: each stands for one commit. */
  commits = 0;
  private death: { readonly at: number; readonly when: 'before' | 'after' } | null = null;

  dieAt(at: number, when: 'before' | 'after'): this {
    this.death = { at: this.commits + at, when };
    return this;
  }

  /** Another worker opens the same journal. */
  revive(): this {
    this.death = null;
    return this;
  }

  override read(): Promise<readonly JournalEntry[]> {
    return Promise.resolve([...this.entries]);
  }

  override append(batch: JournalBatch): Promise<void> {
    return this.write(() => this.store(batch));
  }

  override park(batch: JournalBatch, calls: readonly PendingCall[]): Promise<void> {
    return this.write(() => {
      this.store(batch);
      this.parked.push(calls);
    });
  }

  override testify(observed: readonly ObservedOutcome[]): Promise<void> {
    this.testimony.push(...observed);
    return Promise.resolve();
  }

  override settle(batch: JournalBatch, settlement: Settlement): Promise<void> {
    return this.write(() => {
      this.store(batch);
      this.settlements.push(settlement);
    });
  }

  private store(batch: JournalBatch): void {
    this.entries.push(...structuredClone(batch.entries));
    for (const step of batch.runSteps) this.steps.set(`${step.round}.${step.position}`, step);
  }

  private async write(store: () => void): Promise<void> {
    this.commits += 1;
    const isLast = this.death?.at === this.commits;
    if (isLast && this.death?.when === 'before') throw new WorkerDied();
    store();
    if (isLast) throw new WorkerDied();
    await Promise.resolve();
  }
}
