import type { JsonObject } from '#libs/kernel';

/** On whose behalf the agent acts, in the words of the request (S4-1). */
export interface ToolExecutor {
  readonly user_id: string;
  readonly name?: string | undefined;
  readonly email?: string | undefined;
  readonly employee_id?: string | undefined;
}

/** For which run something is asked: everything that a tool, or a source of tools, may distinguish runs by. */
export interface ToolRun {
  readonly tenantId: string;
  readonly executionId: string;
  readonly sessionId: string;
  /** Where in the execution: `''` is its root, `2.1` the sub-agent that round 2 called at position 1. */
  readonly scope: string;
  /** Null where the request names nobody. */
  readonly executor: ToolExecutor | null;
}

/** How far a call is, for whoever follows live. */
export interface ToolProgress {
  /** For people; at most 500 characters of it are shown. */
  readonly message?: string;
  /** How much is done, in the tool's own unit. */
  readonly done?: number;
  /** How much there is to do, in the same unit, where that is known. */
  readonly total?: number;
}

/** Where a tool says how far it is. What it says here is shown at once, never stored, and never read by the model. */
export interface ToolEvents {
  /** Returns at once and never throws. Says nothing once the call has ended, or after 100 reports of one call. */
  progress(progress: ToolProgress): void;
}

/** What a call of a tool gets beside its input. */
export interface ToolContext extends ToolRun {
  /** The same for every attempt at the same call, and of no other call: pass it on as an idempotency key. */
  readonly idempotencyKey: string;
  /** Aborted when the call has to stop: its time is up, or its attempt ends. */
  readonly signal: AbortSignal;
  readonly events: ToolEvents;
}

/** What a source of tools gets: the run, and what its agent says of its tools. */
export interface ToolSourceContext extends ToolRun {
  /** `tools` of the agent; each source reads the part that is its own, e.g. `builtin`. */
  readonly agentTools: JsonObject;
  /** Whether the tenant has active skills, which the prompt lists then. */
  readonly hasSkills: boolean;
  /** Aborted when the attempt has to stop, or the source has taken too long. */
  readonly signal: AbortSignal;
}

/** What a source is asked with. */
export interface ToolLoad extends ToolSourceContext {
  /** The names of the tools that the run was prepared with, where an attempt goes on with it; null where it begins. */
  readonly pinned: readonly string[] | null;
  /**
   * Closes what a source holds for the run: called once the attempt has ended, at once where it has already. `close`
   * never rejects.
   */
  onEnd(close: () => Promise<void>): void;
}
