import type { Claim } from './claim-store.js';
import type { Patience } from './patience.js';
import type { StoredAgent, StoredContext } from './stored-context.js';

export interface AgentVersionKey {
  readonly tenantId: string;
  readonly agentId: number;
  /** Null: the newest. */
  readonly version: number | null;
  /** On whose behalf it is called; null for nobody's. */
  readonly executorId: string | null;
}

/** Agent, model configuration and conversation of a claimed execution. */
export abstract class ContextStore {
  /** Null when the agent does not exist any more. What the store refuses for the moment is asked again with `patience`. */
  abstract load(claim: Claim, patience: Patience): Promise<StoredContext | null>;
  /** An agent that another one calls; null where the tenant has none such. */
  abstract loadAgent(key: AgentVersionKey, patience: Patience): Promise<StoredAgent | null>;
  /** Which of these agents the tenant may use now: they are active, and so are their model configurations. */
  abstract findUsableAgents(
    tenantId: string,
    agentIds: readonly number[],
    patience: Patience,
  ): Promise<ReadonlySet<number>>;
}
