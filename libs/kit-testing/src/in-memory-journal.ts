import type { ExecutionResult, ExecutionView, PendingCall } from '#libs/payloads';
import {
  Journal,
  LeaseLostError,
  observedOutcomes,
  type JournalBatch,
  type JournalEntry,
  type ObservedOutcome,
  type RunStep,
  type Settlement,
} from '#libs/agent-core';
import { InMemoryExecution, type InMemoryClaim } from './in-memory-execution.js';

export class WorkerDied extends Error {}

interface Death {
  readonly at: number;
  readonly when: 'before' | 'after';
  /** True if the write hangs until its worker has done all other work. */
  readonly isLate: boolean;
}

/** The journal of one claim in memory. Its worker can die right before or right after the n-th write. */
export class InMemoryJournal extends Journal {
  readonly testimony: ObservedOutcome[] = [];
  /** The number of writes, each of which is one commit. */
  commits = 0;
  private nextSequence = 1;
  private deaths: Death[] = [];
  /** True once the worker has died; its open requests then write nothing. */
  private isDead = false;

  constructor(
    readonly execution = new InMemoryExecution(),
    private claim: InMemoryClaim = execution.claim(),
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

  get parked(): readonly (readonly PendingCall[])[] {
    return this.execution.parked;
  }

  /** True if the last write left the execution waiting for decisions. */
  get isParked(): boolean {
    return this.execution.status === 'requires_action';
  }

  dieAt(at: number, when: 'before' | 'after', isLate = false): this {
    this.deaths = [{ at: this.commits + at, when, isLate }];
    return this;
  }

  /** Lets the next worker die too, right before or right after its own n-th write. */
  thenAt(at: number, when: 'before' | 'after', isLate = false): this {
    this.deaths.push({ at, when, isLate });
    return this;
  }

  /** Claims the execution for another worker; false if there is nothing to claim. */
  revive(): boolean {
    const [, next] = this.deaths;
    this.isDead = false;
    this.deaths = next ? [{ ...next, at: this.commits + next.at }] : [];
    if (this.execution.status === 'settled' || this.isParked) return false;
    this.claim = this.execution.claim();
    return true;
  }

  /** Ends the parking, by a person's decisions or by a cancellation, and claims the execution for a worker. */
  decide(...decisions: JournalEntry[]): void {
    this.execution.decide(decisions);
    this.isDead = false;
    this.claim = this.execution.claim();
  }

  override async read(): Promise<readonly JournalEntry[]> {
    await Promise.resolve();
    if (!this.execution.isLatest(this.claim))
      throw new LeaseLostError(this.execution.accepted.executionId, this.claim.epoch);
    const entries = structuredClone(this.entries);
    this.nextSequence = entries.length + 1;
    return entries;
  }

  override append(batch: JournalBatch): Promise<void> {
    return this.write(batch, () => {
      // Nothing but the facts.
    });
  }

  override park(batch: JournalBatch, calls: readonly PendingCall[]): Promise<ExecutionView> {
    return this.write(batch, () => this.execution.park(calls));
  }

  override recordLateOutcomes(observed: readonly ObservedOutcome[]): Promise<void> {
    this.testimony.push(...observed);
    return Promise.resolve();
  }

  /** Does nothing, because memory is always reachable: a write that fails here has ended its worker or was rejected. */
  override handOver(): Promise<void> {
    return Promise.resolve();
  }

  override settle(batch: JournalBatch, settlement: Settlement): Promise<ExecutionResult> {
    return this.write(batch, () => this.execution.settle(settlement));
  }

  /** Throws if the worker is dead, so that it does nothing more. */
  assertAlive(): void {
    if (this.isDead) throw new WorkerDied();
  }

  private async write<T>(batch: JournalBatch, close: () => T): Promise<T> {
    await Promise.resolve();
    this.assertAlive();
    this.commits += 1;
    const [death] = this.deaths;
    const isLast = death?.at === this.commits;
    // By then the worker has done all that needs no answer from outside.
    if (isLast && death.isLate) await new Promise((resolve) => setImmediate(resolve));
    this.isDead = isLast;
    if (isLast && death.when === 'before') throw new WorkerDied();
    try {
      this.nextSequence = this.execution.write(this.claim, this.nextSequence, batch);
    } catch (error) {
      if (error instanceof LeaseLostError) await this.recordLateOutcomes(observedOutcomes(batch.entries));
      throw error;
    }
    const answer = close();
    if (isLast) throw new WorkerDied();
    return answer;
  }
}
