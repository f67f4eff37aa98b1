import type { UsageRecord } from '#libs/agent-core';
import type { HistorySize } from '#libs/policy';
import type { StoredLlm, StoredMessage } from './stored-context.js';

/** Conversation with a due summary. */
export interface DueSummary {
  readonly sessionId: string;
}

export interface SummaryDispatchOptions {
  /** Maximum jobs per dispatch. */
  readonly limit: number;
  /** Time after which an unclaimed job counts as lost and is sent again, in milliseconds. */
  readonly redispatchAfterMs: number;
}

/** Data for the next summary of a conversation, under an exclusive lease. */
export interface ClaimedSummary {
  readonly sessionId: string;
  /** Fence of every write. */
  readonly token: string;
  readonly tenantId: string;
  readonly agentId: number;
  /** Execution that ordered the summary; the usage is charged to it. */
  readonly executionId: string;
  /** Version to create, and number of this try, from 1. */
  readonly version: number;
  readonly tryNumber: number;
  /** Current summary; null without one. */
  readonly previous: string | null;
  /** `firstTurn`: first turn since the last reset. `fromTurn`: first of these that no summary covers. */
  readonly firstTurn: number;
  readonly fromTurn: number;
  readonly budget: HistorySize;
  /** Model to ask, with the agent's model configuration; null when that was deleted. */
  readonly model: string;
  readonly llm: StoredLlm | null;
  /** Active models that are asked while this one cannot be reached, in order. */
  readonly fallbacks: readonly StoredLlm[];
  /** Whether tenant, agent and model configuration are active. */
  readonly isUsable: boolean;
}

/** Selects up to `limit` messages from one end of a conversation, without system prompts. */
export interface MessageRange {
  readonly end: 'oldest' | 'newest';
  readonly fromTurn: number;
  /** Exclusive; null for no bound. */
  readonly beforeTurn: number | null;
  readonly limit: number;
}

export interface NewSummary {
  readonly content: string;
  readonly tokens: number;
  readonly throughTurn: number;
  /** True if further turns must be summarized afterwards. */
  readonly isMore: boolean;
}

/** Pending summaries of conversations and their results; one row per conversation survives dead workers. */
export abstract class SummaryStore {
  /** Marks due summaries as sent and returns them. Any number of processes may call it at once. */
  abstract take(options: SummaryDispatchOptions): Promise<readonly DueSummary[]>;
  /** Makes summaries due again after their jobs could not be sent. */
  abstract requeue(due: readonly DueSummary[]): Promise<void>;
  /** Null when no summary is due or another worker holds it. A started try counts even if its worker dies. */
  abstract claim(sessionId: string, token: string, leaseMs: number): Promise<ClaimedSummary | null>;
  /** Oldest first. */
  abstract readMessages(
    claimed: Pick<ClaimedSummary, 'sessionId' | 'tenantId'>,
    range: MessageRange,
  ): Promise<readonly StoredMessage[]>;
  /**
   * Records the usage of a call as unknown before the call is made, in case the worker dies. False if the claim was lost.
   */
  abstract announceCall(claimed: ClaimedSummary, unknown: UsageRecord): Promise<boolean>;
  /** Replaces the old summary by the new one. If the claim was lost, returns false and writes only the usage. */
  abstract complete(claimed: ClaimedSummary, made: NewSummary, usage: UsageRecord): Promise<boolean>;
  /**
   * Sets only the time of the next try: after `delayMs`, or null for none until the conversation orders it again.
   * @param usage of the announced call; null if none was announced or its cost is unknown
   */
  abstract putOff(claimed: ClaimedSummary, usage: UsageRecord | null, delayMs: number | null): Promise<void>;
}
