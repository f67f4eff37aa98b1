import type { JsonObject } from '#libs/kernel';

/** By which agent a call is run, as its caller knows it, and what it is asked. */
export interface OpenedScope {
  readonly agentId: number;
  readonly name: string;
  readonly input: string;
  /** What its caller lets it have; its own limits hold beside these. */
  readonly limits?: ScopeLimits;
  /** Set where it is a step of a pipeline: the agent is that of the pipeline, in the version that runs. */
  readonly step?: { readonly name: string; readonly agentVersion: number };
  /** JSON Schema that its answer has to fit; anything where it is absent. */
  readonly outputSchema?: JsonObject;
}

/** What one call of an agent may take. */
export interface ScopeLimits {
  /** Milliseconds from where it was called, whoever goes on with it; what a person decides gives it new time. */
  readonly timeoutMs?: number;
  readonly maximumIterations?: number;
  /** Of the agent and of those that it calls; `cost` in US dollars as decimal text. */
  readonly budget?: { readonly totalTokens: number | null; readonly cost: string | null };
}
