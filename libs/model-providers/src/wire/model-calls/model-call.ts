import type { JsonObject } from '#libs/kernel';
import type { PromptMessage } from '#libs/payloads';
import type { FunctionTool } from './function-tool.js';

/** Input of a model call for any API; each API reads `parameters` by its own rules. */
export interface ModelCall {
  readonly model: string;
  readonly messages: readonly PromptMessage[];
  readonly tools: readonly FunctionTool[];
  readonly parameters: JsonObject;
  /** Whether the caller wants deltas. Streams only if `enable_stream` is set too (S1-25). */
  readonly stream: boolean;
}
