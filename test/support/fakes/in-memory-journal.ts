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

interface Death {
  readonly at: number;
  readonly when: 'before' | 'after';
}

/** A journal in memory that can let its worker die right before or right after its n-th write. */
export class InMemoryJournal extends Journal {
  readonly entries: JournalEntry[] = [];
  readonly steps = new Map<string, RunStep>();
  readonly settlements: Settlement[] = [];
  readonly parked: (readonly PendingCall[])[] = [];
  readonly testimony: ObservedOutcome[] = [];
  /** How many writes there were: each stands for one commit. */
  commits = 0;
  /** Waits for decisions, as the last write left it. */
  isParked = false;
  private deaths: Death[] = [];

  dieAt(at: number, when: 'before' | 'after'): this {
    this.deaths = [{ at: this.commits + at, when }];
    return this;
  }

  /** The one who comes after the dead one dies too, right before or right after its own n-th write. */
  thenAt(at: number, when: 'before' | 'after'): this {
    this.deaths.push({ at, when });
    return this;
  }

  /** Another worker opens the same journal. */
  revive(): this {
    const [, next] = this.deaths;
    this.deaths = next ? [{ ...next, at: this.commits + next.at }] : [];
    return this;
  }

  /** A person decides over what is parked. */
  decide(entry: JournalEntry): void {
    this.isParked = false;
    this.entries.push(entry);
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
      this.isParked = true;
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
    const [death] = this.deaths;
    const isLast = death?.at === this.commits;
    if (isLast && death.when === 'before') throw new WorkerDied();
    store();
    if (isLast) throw new WorkerDied();
    await Promise.resolve();
  }
}
