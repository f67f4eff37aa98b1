import type { MemoryExtractionStore, MemoryStore } from '#libs/executions';
import type { JsonObject } from '#libs/kernel';

/** One execution of an agent for an executor; defaults are chosen by the backend. */
export interface Turn {
  readonly tenantId?: 'default' | 'other';
  /** Null for a request without an executor. */
  readonly executorId?: string | null;
  readonly input?: string;
  readonly status?: 'completed' | 'failed';
  /** True if the model had read foreign content (default false). */
  readonly hasForeign?: boolean;
}

/** Stores of memories on the backend under test, with one agent in each of the tenants `default` and `other`. */
export interface MemoriesBackend {
  readonly memories: MemoryStore;
  readonly extractions: MemoryExtractionStore;
  /** Sets the config of both agents for later turns. */
  configure(config: JsonObject): Promise<void>;
  /** Accepts an execution now; the returned `end` settles it. */
  accept(turn: Turn): Promise<{ readonly executionId: string; readonly end: () => Promise<void> }>;
  /** Expires the lease, as if its holder had stopped renewing it. */
  endLease(executionId: string): Promise<void>;
  /** Ends the backoff of the extraction, so that it is due now. */
  endDelay(executionId: string): Promise<void>;
  outcomeOf(executionId: string): Promise<string | null>;
  /** Usage of learning from an execution, one row for each try. */
  usage(executionId: string): Promise<readonly { try: number; state: string; tokens: number | null }[]>;
}
