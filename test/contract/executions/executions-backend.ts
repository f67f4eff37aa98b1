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
  IntakeStore,
  SummaryStore,
  MemoryStore,
} from '#libs/executions';
import type { JsonObject } from '#libs/kernel';

/** Everything that holds executions, with agent 1 of the tenant `default`. The contracts of the ports are tried on it. */
export interface ExecutionsBackend {
  /** Has everything wait for the dispatch. */
  readonly intake: IntakeStore;
  /** Accepts as sent what these limits allow. */
  intakeWithin(options: DispatchOptions): IntakeStore;
  readonly executions: ExecutionReader;
  readonly cancellations: CancelStore;
  readonly decisions: DecisionStore;
  readonly dispatches: DispatchStore;
  readonly claims: ClaimStore;
  /** Of a claim, not yet read. */
  journalOf(claim: Claim): Journal;
  facts(executionId: string): Promise<readonly JournalEntry[]>;
  /** The holder was silent for too long. */
  endLease(executionId: string): Promise<void>;
  /** What it was put off for is over. */
  endDelay(executionId: string): Promise<void>;
  archive(sessionId: string): Promise<void>;
}

/** The same with what a model is shown: agents, memories and summaries. */
export interface StoredExecutionsBackend extends ExecutionsBackend {
  readonly contexts: ContextStore;
  readonly memories: MemoryStore;
  readonly summaries: SummaryStore;
  /** The lease of the worker that makes its summary is over, or the wait for the next try is. */
  makeSummaryDue(sessionId: string): Promise<void>;
  /** Of the calls for summaries that this execution ordered: version, try and state, in their order. */
  summaryUsage(executionId: string): Promise<readonly string[]>;
  /** The model is shown nothing of what has begun by now. */
  reset(sessionId: string): Promise<void>;
  /** Makes a new version of agent 1. */
  changeAgent(change: {
    readonly systemPrompt?: string;
    readonly isActive?: boolean;
    readonly config?: JsonObject;
  }): Promise<void>;
}
