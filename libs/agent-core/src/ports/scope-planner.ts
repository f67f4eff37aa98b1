import type { OpenedScope, ScopeLimits } from '#libs/tooling';
import type { ExecutionContext } from '../execution-context.js';
import type { LoopRules } from '../loop-rules.js';
import type { Preparation, ScopeOpening } from '../journal-entry.js';
import type { RunReporter } from '../reporting/run-reporter.js';
import type { ScopePath } from '../scopes/scope-path.js';
import type { EventSink } from './event-sink.js';
import type { ModelPort } from './model.js';
import type { ToolInvoker } from './tool-invoker.js';

/** Everything that one loop of an execution runs with. */
export interface ScopePlan {
  readonly context: ExecutionContext;
  readonly rules: LoopRules;
  readonly model: ModelPort;
  readonly tools: ToolInvoker;
  /** Its events carry the scope. */
  readonly events: EventSink;
  readonly reporter: RunReporter;
}

export interface ScopeRequest extends ScopeOpening {
  readonly scope: ScopePath;
  /** The provider's id of the call: what events of the scope name as its parent. */
  readonly parentCallId: string;
  /** What its caller lets it have. */
  readonly limits?: ScopeLimits;
  /** Set where it is a step of a pipeline, whose agent it is run by. */
  readonly step?: OpenedScope['step'];
  readonly outputSchema?: OpenedScope['outputSchema'];
  /** What the scope that opened it was prepared with. */
  readonly caller: Preparation | null;
  /** What an earlier attempt prepared it with; null for the first one. */
  readonly preparation: Preparation | null;
}

/**
 * Plans the loop of an agent that another one calls. Answers null where the agent cannot be run: gone, inactive, not
 * usable; `stopped` where `signal` says that it is cancelled or late, and what it would need is not there in a moment.
 */
export abstract class ScopePlanner {
  abstract plan(request: ScopeRequest, signal: AbortSignal): Promise<ScopePlan | 'stopped' | null>;
  /** Where the events of a scope go, also of one that cannot be planned. */
  abstract eventsOf(request: Pick<ScopeRequest, 'scope' | 'parentCallId'>): EventSink;
}

/** Where no agent calls another. */
export const NO_AGENTS: ScopePlanner = {
  plan: () => Promise.resolve(null),
  eventsOf: () => ({ emit: () => undefined, flush: () => Promise.resolve() }),
};
