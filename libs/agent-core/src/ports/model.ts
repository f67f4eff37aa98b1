import type { JsonObject } from '#libs/kernel';
import type { PromptMessage } from '#libs/payloads';
import type { PromptTool } from '#libs/tooling';
import type { ModelAnswer } from '../journal-entry.js';

export interface ModelRequest {
  /** The model's id as the provider knows it. */
  readonly model: string;
  readonly messages: readonly PromptMessage[];
  readonly tools: readonly PromptTool[];
  /** Parameters merged from llm, agent and request (S3-26). */
  readonly parameters: JsonObject;
}

/** What bounds one call beside its parameters. */
export interface ModelCallLimits {
  /** Milliseconds until the deadline of the execution. */
  readonly remainingMs: number;
  /** Whether a failure of this call is final. */
  readonly isLastTry: boolean;
}

export type ModelDelta =
  | { readonly kind: 'text' | 'thinking'; readonly content: string }
  /** The model has begun to call a tool. */
  | { readonly kind: 'tool_call' };

/**
 * One call of a language model. Answers only when the provider said that the answer is whole; everything else is a
 * `ModelCallError`, or a `ModelHostUnavailableError` where it was not made. Never retries: the loop does, and keeps a
 * record of it.
 */
export abstract class ModelPort {
  abstract call(
    request: ModelRequest,
    onDelta: (delta: ModelDelta) => void,
    signal: AbortSignal,
    limits?: ModelCallLimits,
  ): Promise<ModelAnswer>;
}
