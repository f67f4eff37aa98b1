import type { Journal, JournalEntry } from '#libs/agent-core';
import type {
  CancelStore,
  Claim,
  ClaimStore,
  ContextStore,
  DecisionStore,
  DispatchOptions,
  DispatchStore,
  ExecutionReader,
  AcceptanceStore,
  SummaryStore,
  MemoryStore,
} from '#libs/executions';
import type { JsonObject } from '#libs/kernel';

/** Stores of executions with agent 1 of the tenant `default`, as the contracts of the ports need them. */
export interface ExecutionsBackend {
  /** Leaves every accepted execution to the dispatcher. */
  readonly acceptances: AcceptanceStore;
  /** Marks accepted executions as dispatched within these limits. */
  acceptancesWithin(options: DispatchOptions): AcceptanceStore;
  readonly executions: ExecutionReader;
  readonly cancellations: CancelStore;
  readonly decisions: DecisionStore;
  readonly dispatches: DispatchStore;
  readonly claims: ClaimStore;
  /** Journal of a claim, not yet read. */
  journalOf(claim: Claim): Journal;
  facts(executionId: string): Promise<readonly JournalEntry[]>;
  /** Expires the lease, as if its holder had stopped renewing it. */
  endLease(executionId: string): Promise<void>;
  /** Ends the backoff or wait of the execution, so that it is due now. */
  endDelay(executionId: string): Promise<void>;
  archive(sessionId: string): Promise<void>;
}

/** A backend that also stores the context of the model: agents, memories and summaries. */
export interface StoredExecutionsBackend extends ExecutionsBackend {
  readonly contexts: ContextStore;
  readonly memories: MemoryStore;
  readonly summaries: SummaryStore;
  /** Expires the lease of the session's summary order and its backoff. */
  makeSummaryDue(sessionId: string): Promise<void>;
  /** Calls for the summaries that this execution ordered, as `<version>.<try> <state>` in that order. */
  summaryUsage(executionId: string): Promise<readonly string[]>;
  /** Resets the session: the model no longer sees turns that have begun by now. */
  reset(sessionId: string): Promise<void>;
  /** Makes a new version of agent 1. */
  changeAgent(change: {
    readonly systemPrompt?: string;
    readonly isActive?: boolean;
    readonly config?: JsonObject;
  }): Promise<void>;
}
