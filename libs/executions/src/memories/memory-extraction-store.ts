import type { UsageRecord } from '#libs/agent-core';
import type { MemorySettings } from '#libs/policy';
import type { StoredLlm } from '../ports/stored-context.js';
import type { KeptFact, MemoryProposal } from './memory-proposal.js';

/** An execution of which something is to be learnt. */
export interface DueExtraction {
  readonly executionId: string;
}

export interface ExtractionDispatchOptions {
  /** Jobs that may wait and run, of all tenants and of one. */
  readonly queueTarget: number;
  readonly tenantTarget: number;
  /** A job that nobody claimed for so long is taken for lost and sent again. */
  readonly redispatchAfterMs: number;
}

/** What every write of an extraction is fenced by. */
export interface ExtractionFence {
  readonly executionId: string;
  readonly token: string;
}

/** What one try needs; whoever holds it may ask a model until its lease ends. */
export interface ClaimedExtraction extends ExtractionFence {
  readonly tenantId: string;
  readonly executorId: string;
  readonly agentId: number;
  /** Which try this is, from 1. */
  readonly tryNumber: number;
  /** The last try of which it is known what it has cost; 0 for none. */
  readonly recordedTry: number;
  /** Whether its model had read foreign content, in this turn or an earlier one. */
  readonly isForeign: boolean;
  /** What the user said. */
  readonly input: string;
  /** What is remembered by now, oldest first. */
  readonly facts: readonly KeptFact[];
  /** As the version of the agent has them that the execution ran. */
  readonly settings: MemorySettings;
  /** Whose model is asked; null where there is none any more. */
  readonly llm: StoredLlm | null;
  /** False where the tenant is inactive, or everything of the executor was forgotten since the execution was accepted. */
  readonly isWanted: boolean;
}

/** How an extraction has ended without learning anything. */
export type UnlearntOutcome = 'skipped' | 'given_up';

/**
 * What is still to be learnt: a row waits for each execution, written with its end. An execution is learnt of once,
 * whoever dies, and those of one executor in the order of their ends.
 */
export abstract class MemoryExtractionStore {
  /** Marks what is due as sent and answers it. Any number of processes may do so at once. */
  abstract take(options: ExtractionDispatchOptions): Promise<readonly DueExtraction[]>;

  /** Their jobs could not be sent. */
  abstract requeue(due: readonly DueExtraction[]): Promise<void>;

  /**
   * Takes the next try, which counts from now on whatever becomes of it. Null where there is nothing to do: it is over,
   * somebody is at it, or one of the same executor comes first.
   *
   * @param token random
   */
  abstract claim(executionId: string, token: string, leaseMs: number): Promise<ClaimedExtraction | null>;

  /**
   * Makes of the proposal what is right by then, records what it has cost, and ends: one transaction. `lost`: it is not the
   * caller's any more, and nothing of it was learnt; what it has cost is recorded all the same.
   */
  abstract learn(
    claimed: ClaimedExtraction,
    proposal: MemoryProposal,
    usage: readonly UsageRecord[],
  ): Promise<'learnt' | 'lost'>;

  abstract end(
    claimed: ClaimedExtraction,
    outcome: UnlearntOutcome,
    usage: readonly UsageRecord[],
  ): Promise<void>;

  /** Due again after `delayMs`. */
  abstract putOff(claimed: ClaimedExtraction, delayMs: number, usage: readonly UsageRecord[]): Promise<void>;
}
