import type { JsonObject, JsonValue } from '#libs/kernel';
import type { JsonSchemaFormat } from '../model-calls/json-schema-format.js';
import type { ReasoningEffort, ReasoningSummary, Verbosity } from '../model-calls/model-parameters.js';

/** Part of a user message; images and files as `data:` URLs. */
export type ResponsesInputPart =
  | { readonly type: 'input_text'; readonly text: string }
  | { readonly type: 'input_image'; readonly detail: 'auto'; readonly image_url: string }
  | { readonly type: 'input_file'; readonly filename: string; readonly file_data: string };

/** Input item of the Responses API; `JsonObject` is a provider item that is returned unchanged. */
export type ResponsesInputItem =
  | {
      readonly role: 'user' | 'system' | 'developer';
      readonly content: readonly ResponsesInputPart[];
    }
  | { readonly role: 'assistant'; readonly content: string; readonly phase?: string }
  | {
      readonly type: 'function_call';
      readonly call_id: string;
      readonly name: string;
      /** JSON text. */
      readonly arguments: string;
    }
  | { readonly type: 'function_call_output'; readonly call_id: string; readonly output: string }
  | JsonObject;

export interface ResponsesFunctionTool {
  readonly type: 'function';
  readonly name: string;
  readonly description: string;
  readonly parameters: JsonObject;
  readonly strict?: boolean;
}

/** The body of `POST /v1/responses` as this service sends it. */
export interface ResponsesRequest {
  readonly model: string;
  readonly input: readonly ResponsesInputItem[];
  readonly stream: boolean;
  readonly store: false;
  readonly text: {
    readonly format: { readonly type: 'text' } | JsonSchemaFormat;
    readonly verbosity?: Verbosity;
  };
  readonly reasoning?: { readonly effort?: ReasoningEffort; readonly summary?: ReasoningSummary };
  readonly include?: readonly 'reasoning.encrypted_content'[];
  /** 1–128,000. */
  readonly max_output_tokens?: number;
  readonly temperature?: number;
  readonly top_p?: number;
  readonly tools?: readonly ResponsesFunctionTool[];
  readonly tool_choice?: JsonValue;
  readonly parallel_tool_calls?: boolean;
  readonly truncation?: 'disabled';
  readonly user?: string;
}
