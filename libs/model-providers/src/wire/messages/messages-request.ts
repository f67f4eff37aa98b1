import type { JsonObject } from '#libs/kernel';

/** Marks the end of a part of the prompt that the provider keeps for later requests. */
export interface CacheControl {
  readonly type: 'ephemeral';
  /** 5 minutes by default. */
  readonly ttl?: '1h';
}

interface Cacheable {
  readonly cache_control?: CacheControl;
}

export type MessagesTextBlock = Cacheable & { readonly type: 'text'; readonly text: string };

type Base64Source = { readonly type: 'base64'; readonly media_type: string; readonly data: string };

/** A block of the request, except those of an earlier answer that are returned as they came. */
export type MessagesBlock = Cacheable &
  (
    | { readonly type: 'text'; readonly text: string }
    | { readonly type: 'image'; readonly source: Base64Source }
    | { readonly type: 'document'; readonly source: Base64Source; readonly title: string }
    | { readonly type: 'tool_use'; readonly id: string; readonly name: string; readonly input: JsonObject }
    | { readonly type: 'tool_result'; readonly tool_use_id: string; readonly content?: string }
  );

export interface MessagesMessage {
  readonly role: 'user' | 'assistant';
  readonly content: readonly (MessagesBlock | JsonObject)[];
}

export interface MessagesTool extends Cacheable {
  readonly name: string;
  readonly description: string;
  readonly input_schema: JsonObject;
}

export type MessagesToolChoice = { readonly disable_parallel_tool_use?: true } & (
  | { readonly type: 'auto' | 'any' }
  | { readonly type: 'none' }
  | { readonly type: 'tool'; readonly name: string }
);

export type Display = { readonly display?: 'summarized' };

export type MessagesThinking =
  | ({ readonly type: 'adaptive' } & Display)
  | ({ readonly type: 'enabled'; readonly budget_tokens: number } & Display)
  | { readonly type: 'disabled' | 'between_tools' };

export type Effort = 'low' | 'medium' | 'high' | 'xhigh' | 'max';

/** The body of `POST /v1/messages` as this service sends it. */
export interface MessagesRequest {
  readonly model: string;
  readonly max_tokens: number;
  readonly messages: readonly MessagesMessage[];
  readonly stream: boolean;
  readonly system?: readonly MessagesTextBlock[];
  readonly tools?: readonly MessagesTool[];
  readonly tool_choice?: MessagesToolChoice;
  readonly thinking?: MessagesThinking;
  readonly output_config?: {
    readonly effort?: Effort;
    readonly format?: { readonly type: 'json_schema'; readonly schema: JsonObject };
  };
  readonly temperature?: number;
  readonly top_p?: number;
  readonly top_k?: number;
  readonly stop_sequences?: readonly string[];
  readonly metadata?: { readonly user_id: string };
}
