import type { JsonObject } from '#libs/kernel';
import type { PromptMessage } from '#libs/payloads';
import type { PromptTool } from '#libs/tooling';
import type { ModelAnswer } from '../journal-entry.js';

export interface ModelRequest {
  /** Model id as the provider knows it. */
  readonly model: string;
  readonly messages: readonly PromptMessage[];
  readonly tools: readonly PromptTool[];
  /** Parameters merged from model configuration, agent and request (S3-26). */
  readonly parameters: JsonObject;
}

/** Limits of one call besides its parameters. */
export interface ModelCallLimits {
  /** Milliseconds until the execution's deadline. */
  readonly remainingMs: number;
  /** Whether a failure of this call is final. */
  readonly isLastTry: boolean;
  /** Whether a client may follow the execution live. */
  readonly isFollowed: boolean;
}

export type ModelDelta =
  | { readonly kind: 'text' | 'thinking'; readonly content: string }
  /** The model has begun to call a tool. */
  | { readonly kind: 'tool_call' };

/**
 * Makes one call of a language model. Resolves only when the provider reported the answer as complete; otherwise throws
 * `ModelCallError`, or `ModelHostUnavailableError` if the call was not made. Never retries: the loop does, and records
 * each try.
 */
export abstract class ModelPort {
  abstract call(
    request: ModelRequest,
    onDelta: (delta: ModelDelta) => void,
    signal: AbortSignal,
    limits?: ModelCallLimits,
  ): Promise<ModelAnswer>;

  /** Opens the model for the calls of one scope; absent where nothing lasts from one call to the next. */
  open?(): OpenedModel;
}

/** A model that keeps something between the calls of one scope, until it is closed. */
export interface OpenedModel extends Pick<ModelPort, 'call'> {
  close(): void;
}
