import type { JsonObject, JsonValue } from '#libs/kernel';
import type { Verbosity } from '../model-calls/model-parameters.js';

export interface ChatToolCall {
  readonly id: string;
  readonly type: 'function';
  /** `arguments`: JSON text. */
  readonly function: { readonly name: string; readonly arguments: string };
  /** Additional fields from the server, e.g. the signature of the reasoning before the call. */
  readonly extra_content?: JsonValue;
  readonly provider_specific_fields?: JsonValue;
  readonly thought_signature?: JsonValue;
}

/** Part of a user message; images and files as `data:` URLs. */
export type ChatContentPart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image_url'; readonly image_url: { readonly url: string } }
  | { readonly type: 'file'; readonly file: { readonly filename: string; readonly file_data: string } };

export type ChatMessage =
  | { readonly role: 'system'; readonly content: string }
  | { readonly role: 'user'; readonly content: string | readonly ChatContentPart[] }
  | {
      readonly role: 'assistant';
      /** Null when the message contains only calls. */
      readonly content: string | null;
      readonly tool_calls?: readonly ChatToolCall[];
      /** Reasoning in the field in which the server sent it. */
      readonly reasoning_content?: string;
      readonly reasoning?: string;
      readonly reasoning_details?: readonly JsonObject[];
    }
  | { readonly role: 'tool'; readonly tool_call_id: string; readonly content: string };

export interface ChatFunctionTool {
  readonly type: 'function';
  readonly function: {
    readonly name: string;
    readonly description: string;
    readonly parameters: JsonObject;
    readonly strict?: boolean;
  };
}

export type ChatToolChoice =
  'auto' | 'none' | 'required' | { readonly type: 'function'; readonly function: { readonly name: string } };

export type ChatResponseFormat =
  | { readonly type: 'json_object' }
  | {
      readonly type: 'json_schema';
      readonly json_schema: { readonly name: string; readonly schema: JsonObject; readonly strict: boolean };
    };

/** The body of `POST /v1/chat/completions` as this service sends it. */
export interface ChatRequest {
  readonly model: string;
  readonly messages: readonly ChatMessage[];
  readonly stream: boolean;
  readonly stream_options?: { readonly include_usage: true };
  /** Exactly one of the two, see `ChatDialect`. */
  readonly max_tokens?: number;
  readonly max_completion_tokens?: number;
  readonly temperature?: number;
  readonly top_p?: number;
  readonly frequency_penalty?: number;
  readonly presence_penalty?: number;
  readonly logit_bias?: Readonly<Record<string, number>>;
  readonly seed?: number;
  readonly stop?: readonly string[];
  readonly reasoning_effort?: string;
  readonly verbosity?: Verbosity;
  readonly response_format?: ChatResponseFormat;
  readonly tools?: readonly ChatFunctionTool[];
  readonly tool_choice?: ChatToolChoice;
  readonly parallel_tool_calls?: boolean;
  readonly user?: string;
}
