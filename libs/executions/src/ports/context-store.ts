import type { Claim } from './claim-store.js';
import type { RetryPolicy } from './retry-policy.js';
import type { StoredAgent, StoredContext, StoredLlm } from './stored-context.js';

export interface AgentVersionKey {
  readonly tenantId: string;
  readonly agentId: number;
  /** Null for the latest version. */
  readonly version: number | null;
  /** Executor that the agent is called for; null without one. */
  readonly executorId: string | null;
}

/** Reads agent, model configuration and conversation of a claimed execution. */
export abstract class ContextStore {
  /** Null when the agent was deleted. Transient failures are retried with `retries`. */
  abstract load(claim: Claim, retries: RetryPolicy): Promise<StoredContext | null>;
  /** Loads an agent called by another one; null if the tenant has no such agent. */
  abstract loadAgent(key: AgentVersionKey, retries: RetryPolicy): Promise<StoredAgent | null>;
  /** Null if the tenant has no such model configuration. */
  abstract findLlm(tenantId: string, llmId: number, retries: RetryPolicy): Promise<StoredLlm | null>;
  /** Returns those of the agents that are active and have an active model configuration. */
  abstract findUsableAgents(
    tenantId: string,
    agentIds: readonly number[],
    retries: RetryPolicy,
  ): Promise<ReadonlySet<number>>;
}
