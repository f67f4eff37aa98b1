import type { UsageRecord } from '#libs/agent-core';
import type { HistorySize } from '#libs/policy';
import type { StoredLlm, StoredMessage } from './stored-context.js';

/** A conversation whose summary is due. */
export interface DueSummary {
  readonly sessionId: string;
}

export interface SummaryDispatchOptions {
  /** How many jobs one dispatch sends at most. */
  readonly limit: number;
  /** A job that nobody claimed for so long is taken for lost and sent again. */
  readonly redispatchAfterMs: number;
}

/** What whoever makes the next summary of a conversation needs; nobody else may until the lease ends. */
export interface ClaimedSummary {
  readonly sessionId: string;
  /** The fence: what is written names it. */
  readonly token: string;
  readonly tenantId: string;
  readonly agentId: number;
  /** After whose turn it was ordered, and whose usage it is. */
  readonly executionId: string;
  /** The version that is to be made, and which try this is, from 1. */
  readonly version: number;
  readonly tryNumber: number;
  /** What stands for the older turns; null where nothing does. */
  readonly previous: string | null;
  /** The first turn that is shown since the last reset, and the first of these that no summary stands for. */
  readonly firstTurn: number;
  readonly fromTurn: number;
  readonly budget: HistorySize;
  /** Who is asked, by the model configuration of the agent; null where that is gone. */
  readonly model: string;
  readonly llm: StoredLlm | null;
  /** Whether tenant, agent and model configuration may be used now. */
  readonly isUsable: boolean;
}

/** Which messages of a conversation: so many of either end, without system prompts. */
export interface MessageRange {
  readonly end: 'oldest' | 'newest';
  readonly fromTurn: number;
  /** Exclusive; null: to the last. */
  readonly beforeTurn: number | null;
  readonly limit: number;
}

export interface NewSummary {
  readonly content: string;
  readonly tokens: number;
  readonly throughTurn: number;
  /** Whether more turns are to leave after these. */
  readonly isMore: boolean;
}

/** The orders to summarise conversations, and what came of them: a row waits for each, whoever dies. */
export abstract class SummaryStore {
  /** Marks what is due as sent to the queue and answers it. Any number of processes may do so at once. */
  abstract take(options: SummaryDispatchOptions): Promise<readonly DueSummary[]>;
  /** Their jobs could not be sent. */
  abstract requeue(due: readonly DueSummary[]): Promise<void>;
  /** Null when nothing is due, or somebody else is at it. A try that was begun counts, whatever became of it. */
  abstract claim(sessionId: string, token: string, leaseMs: number): Promise<ClaimedSummary | null>;
  /** Oldest first. */
  abstract readMessages(
    claimed: Pick<ClaimedSummary, 'sessionId' | 'tenantId'>,
    range: MessageRange,
  ): Promise<readonly StoredMessage[]>;
  /** A call is accounted for before it is made, as one of which nobody knows anything. False: the claim is lost. */
  abstract announceCall(claimed: ClaimedSummary, unknown: UsageRecord): Promise<boolean>;
  /** Puts the new summary in the place of the old one. False where the claim is lost: nothing but the usage is written. */
  abstract complete(claimed: ClaimedSummary, made: NewSummary, usage: UsageRecord): Promise<boolean>;
  /**
   * Changes nothing but when the next try is due: after `delayMs`, or never, until the conversation orders it again.
   *
   * @param usage of the call that was announced; null where none was, or nobody knows
   */
  abstract putOff(claimed: ClaimedSummary, usage: UsageRecord | null, delayMs: number | null): Promise<void>;
}
