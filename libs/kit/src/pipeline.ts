import type { z } from 'zod';
import type { Agent } from './agent.js';
import type { AnyTool } from './tool.js';

/** Test of the value at a JSON pointer such as `/input` or `/steps/NAME/items/0`. */
export type StepCondition =
  | { readonly value: string; readonly equals: unknown }
  | { readonly value: string; readonly one_of: readonly unknown[] }
  | { readonly value: string; readonly exists: boolean }
  | { readonly value: string; readonly at_least: number }
  | { readonly value: string; readonly at_most: number }
  | { readonly value: string; readonly contains: unknown }
  | { readonly all: readonly StepCondition[] }
  | { readonly any: readonly StepCondition[] }
  | { readonly not: StepCondition };

/** Limits of the model or agent of a step, beside those of its agent. */
export interface StepLimits {
  readonly timeout_seconds?: number;
  readonly maximum_iterations?: number;
  /** `cost` is US dollars as decimal text. */
  readonly budget?: { readonly total_tokens?: number | null; readonly cost?: string | null };
}

interface AskFields {
  /** Question; `{{/input}}` and `{{/steps/NAME}}` stand for values. */
  readonly prompt: string;
  /** Schema of the answer, which is then JSON; an answer that does not match is requested once more. */
  readonly output?: z.ZodObject;
  readonly limits?: StepLimits;
}

/** Asks the model of the pipeline. */
export interface LlmAction extends AskFields {
  readonly kind: 'llm';
  /** Tools that the model may call in this step; default all of the pipeline. */
  readonly tools?: readonly AnyTool[];
  /** True if the model reads the files of the request; default false. */
  readonly attachments?: boolean;
}

/** Calls a tool without a model; its result is the output. */
export interface ToolAction {
  readonly kind: 'tool';
  readonly tool: AnyTool;
  /** Arguments; an argument that is one reference, e.g. `{{/input}}`, becomes the value itself. */
  readonly arguments?: Readonly<Record<string, unknown>>;
}

/** Calls another agent or pipeline of the project. */
export interface AgentAction extends AskFields {
  readonly kind: 'agent';
  readonly agent: Agent | Pipeline;
}

interface StepFields {
  /** Unique in the pipeline: a letter, then letters, digits, `_`, `-`; not `end`. */
  readonly name: string;
  /** The step is skipped if the condition is false. */
  readonly when?: StepCondition;
}

interface RetryFields {
  /** Maximum runs of a failing step, 1–5. */
  readonly retry?: { readonly max_attempts: number };
}

/** Chooses a later step, or `end`, as the next one. */
export interface BranchStep extends StepFields {
  readonly kind: 'branch';
  readonly cases: readonly { readonly when: StepCondition; readonly then: string }[];
  readonly otherwise?: string;
}

/** Runs an action for each item of a list; `{{/item}}` and `{{/index}}` stand for the item. */
export interface MapStep extends StepFields, RetryFields {
  readonly kind: 'map';
  /** JSON pointer to a list. */
  readonly over: string;
  readonly do: LlmAction | ToolAction | AgentAction;
  /** 1–64, default 64. */
  readonly max_items?: number;
  /** Items at a time, 1–8, default 1. */
  readonly concurrency?: number;
}

export type PipelineStep =
  ((LlmAction | ToolAction | AgentAction) & StepFields & RetryFields) | BranchStep | MapStep;

export interface PipelineOptions {
  /** Name, unique among agents and pipelines of the project; the pipeline is created or updated by it. */
  readonly name: string;
  /** Instruction that the model reads in each step of the kind `llm`. */
  readonly instruction: string;
  /** Steps in order, 1–32. */
  readonly steps: readonly PipelineStep[];
  /** As for an agent. */
  readonly model?: string;
  /** Tools for steps of the kind `llm` that name none, beside those of the steps; default none. */
  readonly tools?: readonly AnyTool[];
  /** Form of the answer; default `text`, the last output. */
  readonly output_format?: 'text' | 'json' | { readonly text: string } | { readonly json: unknown };
  /** Rules that the answer has to meet, at most 16. */
  readonly validation_rules?: readonly {
    readonly require: StepCondition;
    readonly when?: StepCondition;
    readonly message: string;
  }[];
}

const KIND = 'capstan/pipeline';

/** An agent with fixed steps; create it by {@link definePipeline}. */
export interface Pipeline extends PipelineOptions {
  readonly kind: typeof KIND;
}

/**
 * Defines a pipeline: an agent that works in fixed steps. Export it from a file of the project's `pipelines` folder.
 * @example
 * export const desk = definePipeline({
 *   name: 'desk',
 *   instruction: 'You answer customers.',
 *   steps: [
 *     { name: 'find', kind: 'tool', tool: findOrder, arguments: { number: '{{/input}}' } },
 *     { name: 'answer', kind: 'llm', prompt: 'Say where this order is: {{/steps/find}}', tools: [] },
 *   ],
 * });
 */
export function definePipeline(options: PipelineOptions): Pipeline {
  return { ...options, kind: KIND };
}

/** True if the value was made by {@link definePipeline}, of this copy of the kit or another one. */
export function isPipeline(value: unknown): value is Pipeline {
  return typeof value === 'object' && value !== null && 'kind' in value && value.kind === KIND;
}
