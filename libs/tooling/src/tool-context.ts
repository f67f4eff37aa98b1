import type { Executor, Progress } from '#libs/kit';
import type { JsonObject } from '#libs/kernel';

/** The run that a tool or tool source is asked for. */
export interface ToolRun {
  readonly tenantId: string;
  readonly executionId: string;
  readonly sessionId: string;
  /** Position in the execution: `''` is the root, `2.1` the sub-agent called in round 2 at position 1. */
  readonly scope: string;
  /** Null if the request names no executor. */
  readonly executor: Executor | null;
}

/** Progress reports of a tool. They are shown live, never stored, and never read by the model. */
export interface ToolEvents {
  /** Returns at once and never throws. Ignored after the call has ended and beyond 100 reports per call. */
  progress(progress: Progress): void;
}

/** Context of a tool call, beside its input. */
export interface ToolContext extends ToolRun {
  /** Equal for all attempts at the same call, and unique to it: pass it on as idempotency key. */
  readonly idempotencyKey: string;
  /** Aborted when the call times out or its attempt ends. */
  readonly signal: AbortSignal;
  readonly events: ToolEvents;
}

/** Context of a tool source: the run, and the tool configuration of its agent. */
export interface ToolSourceContext extends ToolRun {
  /** The agent's `tools`; each source reads its own part, e.g. `builtin`. */
  readonly agentTools: JsonObject;
  /** True if the tenant has active skills; the prompt then lists them. */
  readonly hasSkills: boolean;
  /** Aborted when the attempt stops or the source times out. */
  readonly signal: AbortSignal;
}

/** Request to load tools from a source. */
export interface ToolLoad extends ToolSourceContext {
  /** Names of the tools that the run was prepared with; null for a new run. */
  readonly pinned: readonly string[] | null;
  /**
   * Registers cleanup for the end of the attempt; runs at once if the attempt has already ended. `close` never rejects.
   */
  onEnd(close: () => Promise<void>): void;
}
