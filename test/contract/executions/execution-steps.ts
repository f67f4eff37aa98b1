import type { JournalEntry, Settlement } from '#libs/agent-core';
import type { Claim, Submission } from '#libs/executions';
import type { PendingCall } from '#libs/payloads';
import { v7 as uuid } from 'uuid';
import { CLAIM_OPTIONS } from '../../integration/persistence/persistence-world.js';
import { aSubmission } from '../../support/builders/submission.js';
import { aSettlement } from '../journal/a-settlement.js';
import type { ExecutionsBackend } from './executions-backend.js';

export interface Accepted {
  readonly id: string;
  readonly sessionId: string;
}

/** Single steps in the life of an execution, for the contracts of the ports. */
export class ExecutionSteps {
  constructor(private readonly backend: ExecutionsBackend) {}

  async accept(overrides: Partial<Submission> = {}): Promise<Accepted> {
    const submission = aSubmission(overrides);
    const { kind } = await this.backend.acceptances.accept(submission);
    if (kind !== 'accepted') throw new Error(`expected an execution, got ${kind}`);
    return { id: submission.executionId, sessionId: submission.sessionId ?? submission.newSessionId };
  }

  async claim({ id }: Pick<Accepted, 'id'>): Promise<Claim> {
    const result = await this.backend.claims.claim(id, CLAIM_OPTIONS, uuid());
    if (result.kind !== 'claimed') throw new Error(`expected a claim, got ${result.kind}`);
    return result.claim;
  }

  async append(claim: Claim, ...entries: JournalEntry[]): Promise<void> {
    const journal = this.backend.journalOf(claim);
    await journal.read();
    await journal.append({ entries, runSteps: [] });
  }

  async settle(claim: Claim, overrides: Partial<Settlement> = {}): Promise<void> {
    const journal = this.backend.journalOf(claim);
    await journal.read();
    await journal.settle({ entries: [], runSteps: [] }, aSettlement(overrides));
  }

  /** Accepts, claims and settles an execution. */
  async complete(overrides: Partial<Submission> = {}, ending: Partial<Settlement> = {}): Promise<Accepted> {
    const accepted = await this.accept(overrides);
    await this.settle(await this.claim(accepted), { status: 'completed', error: null, ...ending });
    return accepted;
  }

  /** Claims the execution and parks it until a person decides over these calls. */
  async park(accepted: Accepted, ...calls: PendingCall[]): Promise<Accepted> {
    const journal = this.backend.journalOf(await this.claim(accepted));
    await journal.read();
    await journal.park({ entries: [], runSteps: [] }, calls);
    return accepted;
  }

  async statusOf({ id }: Pick<Accepted, 'id'>): Promise<string | undefined> {
    return (await this.backend.executions.find('default', id))?.status;
  }
}

export function aPendingCall(call: string, overrides: Partial<PendingCall> = {}): PendingCall {
  return { call, asks: 'approval', tool_name: 'charge', tool_input: { cents: 1 }, ...overrides };
}
