import type { Claim, StoredRequest } from '#libs/executions';
import { toStorableJson } from '#libs/kernel';
import {
  callName,
  CANCELLED,
  LeaseLostError,
  readCitations,
  type JournalBatch,
  type JournalEntry,
  type RunStep,
  type Settlement,
} from '#libs/agent-core';
import {
  toExecutionResult,
  type ExecutionResult,
  type ExecutionStatus,
  type ExecutionView,
  type PendingCall,
  type WaitingFor,
} from '#libs/payloads';

/** A stored fact, with the epoch of the claim that wrote it. */
export interface StoredFact {
  readonly epoch: number;
  readonly entry: JournalEntry;
}

/** A claim: its epoch, which can recur, and the token that fences it, which cannot. */
export interface InMemoryClaim {
  readonly epoch: number;
  readonly token: string;
}

/** The fields of an execution that are fixed at its acceptance. */
export interface AcceptedExecution
  extends
    Pick<Claim, 'executionId' | 'tenantId' | 'agentId' | 'sessionId' | 'turnNumber'>,
    Pick<StoredRequest, 'request' | 'metadata' | 'webhook'> {
  readonly agentVersion: number | null;
}

/** For tests of a single execution. */
const ANY_EXECUTION: AcceptedExecution = {
  executionId: 'in memory',
  tenantId: 'default',
  agentId: 1,
  agentVersion: null,
  sessionId: 'in memory',
  turnNumber: 1,
  request: { input: 'Go.', options: {}, additional_data: {} },
  metadata: {},
  webhook: null,
};

/** The time of every timestamp, as no clock runs here. */
export const NEVER = '1970-01-01T00:00:00.000Z';

/** Another worker wrote after `sequence` first, which violates the primary key of the journal. */
class SequenceTakenError extends Error {}

/** A statement may write each row once. */
class StepTwiceError extends Error {}

/** One execution as the database holds it: the state that all its journals share, and their fence. */
export class InMemoryExecution {
  status: 'queued' | 'running' | 'requires_action' | 'settled' = 'queued';
  epoch = 0;
  private token: string | null = null;
  private claims = 0;
  readonly facts: StoredFact[] = [];
  readonly steps = new Map<string, RunStep>();
  readonly settlements: Settlement[] = [];
  readonly parked: (readonly PendingCall[])[] = [];
  /** The calls that still wait for a person. */
  waitingCalls: readonly PendingCall[] = [];
  waitingFor: WaitingFor | null = null;

  readonly accepted: AcceptedExecution;

  constructor(accepted: Partial<AcceptedExecution> = {}) {
    this.accepted = { ...ANY_EXECUTION, ...accepted };
  }

  /** Claims the execution: only this claim may write from now on. */
  claim(token = `claim ${(this.claims += 1)}`): InMemoryClaim {
    this.status = 'running';
    this.epoch += 1;
    this.token = token;
    return { epoch: this.epoch, token };
  }

  /**
   * Writes the facts and audit rows of one transaction, or none and throws a `LeaseLostError`. Returns the next sequence.
   */
  write(claim: InMemoryClaim, sequence: number, batch: JournalBatch): number {
    const { epoch } = claim;
    if (!this.isHeldBy(claim)) throw new LeaseLostError(this.accepted.executionId, epoch);
    if (batch.entries.length > 0 && sequence <= this.facts.length) throw new SequenceTakenError();
    const steps = batch.runSteps.map((step) => [callName(step.scope, step), step] as const);
    if (new Set(steps.map(([name]) => name)).size < steps.length) throw new StepTwiceError();
    this.appendFacts(batch.entries, epoch);
    for (const [name, step] of steps) this.steps.set(name, step);
    return sequence + batch.entries.length;
  }

  park(calls: readonly PendingCall[]): ExecutionView {
    this.status = 'requires_action';
    this.parked.push(calls);
    this.waitingCalls = calls;
    return this.view();
  }

  /** Records a person's decisions, and requeues the execution when no call waits any more. */
  decide(decisions: readonly JournalEntry[], left: readonly PendingCall[] = []): void {
    this.waitingCalls = left;
    if (left.length === 0) this.status = 'queued';
    this.appendFacts(decisions, this.epoch);
  }

  settle(settlement: Settlement): ExecutionResult {
    this.status = 'settled';
    this.settlements.push(settlement);
    return this.view();
  }

  /** The execution as the API returns it. */
  storedView(): ExecutionView {
    const { executionId, agentId, agentVersion, sessionId, turnNumber, metadata } = this.accepted;
    const settlement = this.settlements.at(-1);
    const isSettled = this.status === 'settled';
    const waiting = { calls: [...this.waitingCalls], expires_at: NEVER };
    return {
      id: executionId,
      agent_id: agentId,
      agent_version: agentVersion,
      session_uuid: sessionId,
      turn_number: turnNumber,
      status: this.publicStatus,
      attempt: this.epoch,
      result: toAnswer(settlement),
      required_action: this.status === 'requires_action' ? waiting : null,
      waiting_for: isSettled || this.waitingFor === null ? null : { ...this.waitingFor, deadline_at: null },
      incomplete_details: settlement?.incompleteReason ? { reason: settlement.incompleteReason } : null,
      error: isSettled && !settlement ? CANCELLED : (settlement?.error ?? null),
      usage: null,
      execution_metadata: {},
      metadata,
      created_at: NEVER,
      started_at: this.epoch > 0 ? NEVER : null,
      finished_at: isSettled ? NEVER : null,
      restored_at: null,
    };
  }

  /** The execution as its `result` event shows it. */
  view(): ExecutionResult {
    return toExecutionResult(this.storedView(), {
      num_turns: this.settlements.at(-1)?.turns ?? 0,
      session_id: null,
      title_pending: false,
    });
  }

  /** The public status; an execution that ended without a settlement was cancelled before its first claim. */
  get publicStatus(): ExecutionStatus {
    return this.status === 'settled' ? (this.settlements.at(-1)?.status ?? 'cancelled') : this.status;
  }

  /** True while this claim is the latest, even if its lease has expired. */
  isLatest({ token }: Pick<InMemoryClaim, 'token'>): boolean {
    return this.token === token;
  }

  protected appendFacts(entries: readonly JournalEntry[], epoch: number): void {
    for (const entry of entries)
      this.facts.push({ epoch, entry: toStorableJson(entry) as unknown as JournalEntry });
  }

  protected isHeldBy({ token }: Pick<InMemoryClaim, 'token'>): boolean {
    return this.status === 'running' && this.token === token;
  }
}

function toAnswer(settlement: Settlement | undefined): ExecutionView['result'] {
  const index = settlement?.messages.findIndex(({ role }) => role === 'assistant') ?? -1;
  const answer = settlement?.messages[index];
  if (!answer) return null;
  const { content, data, truncated } = answer;
  const message = { id: index + 1, role: 'assistant' as const, content, data };
  return { message: { ...message, ...(truncated && { truncated }) }, citations: readCitations(data) };
}
