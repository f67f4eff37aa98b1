import type { JsonObject } from '#libs/kernel';

/** The called agent, as its caller knows it, and the input of the call. */
export interface OpenedScope {
  readonly agentId: number;
  readonly name: string;
  readonly input: string;
  /** Limits set by the caller; the agent's own limits apply as well. */
  readonly limits?: ScopeLimits;
  /** Set for a step of a pipeline: `agentId` is the pipeline's agent, in its running version. */
  readonly step?: { readonly name: string; readonly agentVersion: number };
  /** JSON Schema of the answer; any answer is accepted if absent. */
  readonly outputSchema?: JsonObject;
}

/** Limits of one agent call. */
export interface ScopeLimits {
  /** Milliseconds since the call, across workers; a person's decision restarts the time. */
  readonly timeoutMs?: number;
  readonly maximumIterations?: number;
  /** Covers the agent and all agents that it calls. `cost` is in US dollars, as decimal text. */
  readonly budget?: { readonly totalTokens: number | null; readonly cost: string | null };
}
