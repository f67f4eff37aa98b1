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

export type ModelDelta =
  | { readonly kind: 'text' | 'thinking'; readonly content: string }
  /** The model has begun to call a tool. */
  | { readonly kind: 'tool_call' };

/**
 * One call of a language model. Answers only when the provider said that the answer is whole; everything else is a
 * `ModelCallError`. Never retries: the loop does, and keeps a record of it.
 */
export abstract class ModelPort {
  abstract call(
    request: ModelRequest,
    onDelta: (delta: ModelDelta) => void,
    signal: AbortSignal,
  ): Promise<ModelAnswer>;
}
