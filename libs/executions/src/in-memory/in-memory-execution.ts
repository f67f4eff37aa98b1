import { toStorableJson } from '#libs/kernel';
import {
  callName,
  LeaseLostError,
  type JournalBatch,
  type JournalEntry,
  type RunStep,
  type Settlement,
} from '#libs/agent-core';
import {
  toExecutionResult,
  type ExecutionResult,
  type ExecutionView,
  type PendingCall,
} from '#libs/payloads';

/** A fact as it is stored: under the epoch of the claim that wrote it. */
export interface StoredFact {
  readonly epoch: number;
  readonly entry: JournalEntry;
}

/** What a claim gives: a number for the journal, which can recur, and the fence, which cannot. */
export interface InMemoryClaim {
  readonly epoch: number;
  readonly token: string;
}

/** Nobody's clock runs here. */
const NEVER = '1970-01-01T00:00:00.000Z';

/** Whoever wrote after `sequence` did so first, as the primary key of the journal says. */
class SequenceTakenError extends Error {}

/** One execution as the database holds it: what all its journals share, and what fences them. */
export class InMemoryExecution {
  status: 'queued' | 'running' | 'requires_action' | 'settled' = 'queued';
  epoch = 0;
  private token: string | null = null;
  private claims = 0;
  readonly facts: StoredFact[] = [];
  readonly steps = new Map<string, RunStep>();
  readonly settlements: Settlement[] = [];
  readonly parked: (readonly PendingCall[])[] = [];

  /** Whoever claims may write from now on, and nobody else. */
  claim(token = `claim ${(this.claims += 1)}`): InMemoryClaim {
    this.status = 'running';
    this.epoch += 1;
    this.token = token;
    return { epoch: this.epoch, token };
  }

  /** Facts and audit rows of one transaction: all of them, or none and a `LeaseLostError`. Answers the next sequence. */
  write(claim: InMemoryClaim, sequence: number, batch: JournalBatch): number {
    const { epoch } = claim;
    if (!this.isHeldBy(claim)) throw new LeaseLostError('in memory', epoch);
    if (batch.entries.length > 0 && sequence <= this.facts.length) throw new SequenceTakenError();
    for (const entry of batch.entries) {
      this.facts.push({ epoch, entry: toStorableJson(entry) as unknown as JournalEntry });
    }
    for (const step of batch.runSteps) this.steps.set(callName(step.scope, step), step);
    return sequence + batch.entries.length;
  }

  park(calls: readonly PendingCall[]): ExecutionView {
    this.status = 'requires_action';
    this.parked.push(calls);
    return this.view();
  }

  /** Back into the line, with what a person said. */
  decide(decisions: readonly JournalEntry[]): void {
    this.status = 'queued';
    this.facts.push(...decisions.map((entry) => ({ epoch: this.epoch, entry })));
  }

  settle(settlement: Settlement): ExecutionResult {
    this.status = 'settled';
    this.settlements.push(settlement);
    return this.view();
  }

  /** As whoever asks for it sees it. */
  view(): ExecutionResult {
    const settlement = this.settlements.at(-1);
    const calls = this.status === 'requires_action' ? this.parked.at(-1) : undefined;
    const view: ExecutionView = {
      id: 'in memory',
      agent_id: 1,
      agent_version: null,
      session_uuid: 'in memory',
      turn_number: 1,
      status: this.status === 'settled' ? (settlement?.status ?? 'cancelled') : this.status,
      attempt: this.epoch,
      result: null,
      required_action: calls ? { calls: [...calls], expires_at: NEVER } : null,
      incomplete_details: settlement?.incompleteReason ? { reason: settlement.incompleteReason } : null,
      error: settlement?.error ?? null,
      usage: null,
      execution_metadata: {},
      metadata: {},
      created_at: NEVER,
      started_at: NEVER,
      finished_at: this.status === 'settled' ? NEVER : null,
    };
    return toExecutionResult(view, {
      num_turns: settlement?.turns ?? 0,
      session_id: null,
      title_pending: false,
    });
  }

  /** Whether nobody has claimed it since. */
  isLatest({ token }: Pick<InMemoryClaim, 'token'>): boolean {
    return this.token === token;
  }

  protected isHeldBy({ token }: Pick<InMemoryClaim, 'token'>): boolean {
    return this.status === 'running' && this.token === token;
  }
}
