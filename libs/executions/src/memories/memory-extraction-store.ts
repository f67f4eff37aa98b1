import type { UsageRecord } from '#libs/agent-core';
import type { MemorySettings } from '#libs/policy';
import type { StoredLlm } from '../ports/stored-context.js';
import type { KeptFact, MemoryProposal } from './memory-proposal.js';

/** Execution that is due for memory extraction. */
export interface DueExtraction {
  readonly executionId: string;
}

export interface ExtractionDispatchOptions {
  /** Maximum jobs queued or running, in total and per tenant. */
  readonly queueTarget: number;
  readonly tenantTarget: number;
  /** Time after which an unclaimed job counts as lost and is sent again, in milliseconds. */
  readonly redispatchAfterMs: number;
}

/** Fence of every write of an extraction. */
export interface ExtractionFence {
  readonly executionId: string;
  readonly token: string;
}

/** Data of one claimed try; its holder may ask a model until the lease ends. */
export interface ClaimedExtraction extends ExtractionFence {
  readonly tenantId: string;
  readonly executorId: string;
  readonly agentId: number;
  /** Number of this try, from 1. */
  readonly tryNumber: number;
  /** Last try with a recorded cost; 0 for none. */
  readonly recordedTry: number;
  /** True if the execution's model had read foreign content, in this turn or an earlier one. */
  readonly isForeign: boolean;
  /** Input of the user. */
  readonly input: string;
  /** Known facts, oldest change first. */
  readonly facts: readonly KeptFact[];
  /** Memory settings of the agent version that the execution ran. */
  readonly settings: MemorySettings;
  /** Model configuration to use; null when it was deleted. */
  readonly llm: StoredLlm | null;
  /** False if the tenant is inactive, or all facts about the executor were deleted since the execution was accepted. */
  readonly isWanted: boolean;
}

/** Endings of an extraction without learnt facts. */
export type UnlearntOutcome = 'skipped' | 'given_up';

/**
 * Pending memory extractions: the transaction that settles an execution adds one row. Each execution is extracted once,
 * even if workers die; those of one executor run in the order of their ends.
 */
export abstract class MemoryExtractionStore {
  /** Marks due extractions as sent and returns them. Any number of processes may call it at once. */
  abstract take(options: ExtractionDispatchOptions): Promise<readonly DueExtraction[]>;

  /** Makes extractions due again after their jobs could not be sent. */
  abstract requeue(due: readonly DueExtraction[]): Promise<void>;

  /**
   * Claims the next try; it counts even if its worker dies. Null if the extraction has ended, another worker holds it, or
   * an earlier one of the same executor is pending.
   * @param token random
   */
  abstract claim(executionId: string, token: string, leaseMs: number): Promise<ClaimedExtraction | null>;

  /**
   * Applies the proposal to the current facts, records the usage and ends the extraction in one transaction. `lost`: the
   * caller's lease was taken; no fact is stored, but the usage is recorded.
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

  /** Makes the extraction due again after `delayMs` milliseconds. */
  abstract putOff(claimed: ClaimedExtraction, delayMs: number, usage: readonly UsageRecord[]): Promise<void>;
}
