import type { OpenedScope, ScopeLimits } from '#libs/tooling';
import type { ExecutionContext } from '../execution-context.js';
import type { LoopRules } from '../loop-rules.js';
import type { Preparation, ScopeOpening } from '../journal-entry.js';
import type { RunReporter } from '../reporting/run-reporter.js';
import type { ScopePath } from '../scopes/scope-path.js';
import type { EventSink } from './event-sink.js';
import type { FallbackModels } from './fallback-models.js';
import type { ModelPort } from './model.js';
import type { ToolInvoker } from './tool-invoker.js';

/** The context, rules and ports of one scope. */
export interface ScopePlan {
  readonly context: ExecutionContext;
  readonly rules: LoopRules;
  readonly model: ModelPort;
  /** Absent without fallbacks. */
  readonly fallbacks?: FallbackModels;
  readonly tools: ToolInvoker;
  /** Events of this sink carry the scope. */
  readonly events: EventSink;
  readonly reporter: RunReporter;
}

export interface ScopeRequest extends ScopeOpening {
  readonly scope: ScopePath;
  /** Provider's id of the call that opens the scope; the scope's events name it as their parent. */
  readonly parentCallId: string;
  /** Limits that the caller sets. */
  readonly limits?: ScopeLimits;
  /** Set if a pipeline step opens the scope; the step's agent runs it. */
  readonly step?: OpenedScope['step'];
  readonly outputSchema?: OpenedScope['outputSchema'];
  /** Preparation of the calling scope. */
  readonly caller: Preparation | null;
  /** Preparation by an earlier attempt; null in the first one. */
  readonly preparation: Preparation | null;
}

/**
 * Plans the scope of a sub-agent. Returns null if the agent is gone, inactive or unusable; `stopped` if `signal` aborts
 * while a resource that the agent needs is not at hand.
 */
export abstract class ScopePlanner {
  abstract plan(request: ScopeRequest, signal: AbortSignal): Promise<ScopePlan | 'stopped' | null>;
  /** The event sink of a scope, also for one that cannot be planned. */
  abstract eventsOf(request: Pick<ScopeRequest, 'scope' | 'parentCallId'>): EventSink;
}

/** Planner for executions without sub-agents. */
export const NO_AGENTS: ScopePlanner = {
  plan: () => Promise.resolve(null),
  eventsOf: () => ({ emit: () => undefined, flush: () => Promise.resolve(), isFollowed: () => false }),
};
