import type { MemoryExtractionStore, MemoryStore } from '#libs/executions';
import type { JsonObject } from '#libs/kernel';

/** A turn of somebody, whose agent remembers unless its config says otherwise. */
export interface Turn {
  readonly tenantId?: 'default' | 'other';
  /** Null for a request on nobody's behalf. */
  readonly executorId?: string | null;
  readonly input?: string;
  readonly status?: 'completed' | 'failed';
  /** Whether its model had read foreign content; by default it had not. */
  readonly hasForeign?: boolean;
}

/** What the contract of memories is held against: an agent of each of the tenants `default` and `other`. */
export interface MemoriesBackend {
  readonly memories: MemoryStore;
  readonly extractions: MemoryExtractionStore;
  /** Of the agents, from the next turn on. */
  configure(config: JsonObject): Promise<void>;
  /** Accepted now; it ends when that is called. */
  accept(turn: Turn): Promise<{ readonly executionId: string; readonly end: () => Promise<void> }>;
  /** The holder was silent for too long. */
  endLease(executionId: string): Promise<void>;
  /** What it was put off for is over. */
  endDelay(executionId: string): Promise<void>;
  outcomeOf(executionId: string): Promise<string | null>;
  /** What learning of an execution has cost, by tries. */
  usage(executionId: string): Promise<readonly { try: number; state: string; tokens: number | null }[]>;
}
