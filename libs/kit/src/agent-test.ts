import type { z } from 'zod';
import type { Agent } from './agent.js';
import type { Database } from './domain/database.js';
import type { Domain } from './domain/domain.js';
import type { Pipeline } from './pipeline.js';
import type { Executor } from './tool-context.js';
import type { Tool, ToolEffect } from './tool.js';

/** Tool call of a scripted model; create it by {@link AgentTesting.call}. */
export interface ScriptedCall {
  readonly tool: string;
  readonly input: unknown;
}

/** Answer of a scripted model: a final text, or the calls of one round. */
export type ScriptedAnswer = string | ScriptedCall | readonly ScriptedCall[];

export interface AgentTestOptions {
  /**
   * Answers of the model in order; for a pipeline by the name of the step that asks a model or an agent. A model call that a
   * crash repeats gets the same answer again.
   */
  readonly model: readonly ScriptedAnswer[] | Readonly<Record<string, readonly ScriptedAnswer[]>>;
  /** Input of the execution; default `Go.`. */
  readonly input?: string;
  /** Person that the agent acts for; default null. */
  readonly executor?: Executor | null;
  /**
   * Answers the requests that tools make by `fetch` of their context; default: each request is an error. A request other
   * than GET, HEAD and OPTIONS is an effect, and one per `Idempotency-Key` if it has that header.
   */
  readonly fetch?: (request: Request) => Response | Promise<Response>;
  /** All effects in the outside world so far, such as the rows of a fake; the test only ever appends to them. */
  readonly effects?: () => readonly unknown[];
  /** Answers statements of tools; default: each statement is an error. */
  readonly database?: Database;
  /** Secrets of the tenant by name; default none. */
  readonly secrets?: Readonly<Record<string, string>>;
  /** Domain of the agent's tools, which may stage its changes and add its data. Its changes are not applied. */
  readonly domain?: Domain;
  /** Called before each run, to empty the fakes. */
  readonly reset?: () => void | Promise<void>;
  /** Decision of the person on a call that waits for approval; default true. */
  readonly approve?: (call: ScriptedCall) => boolean;
}

/** Ending of an execution. */
export type TestedOutcome =
  | { readonly status: 'completed'; readonly text: string }
  | { readonly status: 'incomplete'; readonly reason: string; readonly text: string }
  | { readonly status: 'failed'; readonly error: { readonly code: string; readonly message: string } }
  | { readonly status: 'cancelled' };

export interface TestedCall extends ScriptedCall {
  readonly status: 'succeeded' | 'failed' | 'refused' | 'outcome_unknown';
  /** Text that the model reads. */
  readonly output: string;
  /** Error that the tool threw, which the model does not read; null without one. */
  readonly error: string | null;
  readonly effects: readonly unknown[];
}

/** Run without a crash. */
export interface TestedRun {
  readonly outcome: TestedOutcome;
  /** Tool calls in order. */
  readonly calls: readonly TestedCall[];
  /** Changes that the ending would apply, in order. */
  readonly staged: readonly { readonly kind: string; readonly data: Readonly<Record<string, unknown>> }[];
  /** Data of the answer. */
  readonly data: Readonly<Record<string, unknown>>;
}

/** Call whose run a crash doubled or left in doubt. */
export interface CrashedCall {
  /** Moment of the crash, e.g. `before commit 3`. */
  readonly crash: string;
  readonly input: unknown;
  /** Effects of the call: of its second run in `twice`, of its only run in `unknown`. */
  readonly effects: readonly unknown[];
}

/** Crashes of all runs, as they concern one tool. */
export interface ToolReport {
  readonly effect: ToolEffect;
  /** Number of effects in the run without a crash. With 0, `twice` says nothing: the test sees no effects. */
  readonly effects: number;
  /** Number of calls that ran again after a crash. */
  readonly repeated: number;
  /** Calls whose effect happened twice. */
  readonly twice: readonly CrashedCall[];
  /** Calls whose outcome was unknown after the crash. */
  readonly unknown: readonly CrashedCall[];
}

export interface CrashReport {
  /** Number of runs with a crash: four for each commit of the run without one. */
  readonly crashes: number;
  /** Number of crashed runs by the status of their ending. */
  readonly outcomes: Readonly<Partial<Record<TestedOutcome['status'], number>>>;
  /** Reports by name of the tool. */
  readonly tools: Readonly<Record<string, ToolReport>>;
  /** One sentence for each tool whose declared effect is wrong; empty if all are right. */
  readonly faults: readonly string[];
}

/** Functions of `capstan/kit/testing`. */
export interface AgentTesting {
  /** Call of a tool for a scripted model. */
  call<Schema extends z.ZodObject>(tool: Tool<Schema>, input: z.input<Schema>): ScriptedCall;
  /**
   * Runs an agent or a pipeline with a scripted model, in memory, by the loop of the service. Calls of one round run one
   * after the other.
   * @throws if the agent has an unusable tool, or asks the model for more answers than there are
   */
  testAgent(agent: Agent | Pipeline, options: AgentTestOptions): Promise<TestedRun>;
  /**
   * Runs the agent once per crash: its process dies right before and right after each commit, at once or while calls go on,
   * and another process continues. A person who is asked for the outcome of a call answers truly.
   * @throws as {@link AgentTesting.testAgent}
   */
  killAtEveryCommit(agent: Agent | Pipeline, options: AgentTestOptions): Promise<CrashReport>;
}
