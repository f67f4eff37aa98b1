import type { JsonObject } from '#libs/kernel';
import type { PromptMessage } from '../chat/prompt-message.js';
import type { FunctionTool } from './function-tool.js';

/** What every API of model calls is asked; `parameters` are read by the rules of the API. */
export interface ModelCall {
  readonly model: string;
  readonly messages: readonly PromptMessage[];
  readonly tools: readonly FunctionTool[];
  readonly parameters: JsonObject;
  /** Does the caller follow the answer as it grows? Streams only when `enable_stream` says so too (S1-25). */
  readonly stream: boolean;
}
