import type { JsonObject } from '#libs/kernel';
import type { PromptToolCall } from '../chat/prompt-message.js';
import type { TokenUsage } from '../chat/token-usage.js';
import type { IncompleteReason } from '../executions/execution-status.js';

/** A whole answer of the Responses API, free of its format; every text can be stored. */
export interface RestoredAnswer {
  readonly responseId: string | null;
  /** The model that answered, as the provider names it. */
  readonly model: string | null;
  readonly text: string;
  readonly thinking: string;
  /** Calls that can be answered: id and name are not blank, ids are unique. */
  readonly toolCalls: readonly PromptToolCall[];
  readonly usage: TokenUsage | null;
  readonly incompleteReason: Extract<IncompleteReason, 'max_output_tokens' | 'content_filter'> | null;
  /** Encrypted reasoning, to be sent again before this answer. */
  readonly providerItems: readonly JsonObject[];
}

/** What a provider said how a call ended. `code` is short and harmless, or `null` when it sent nothing of the kind. */
export type ResponseEnding =
  | { readonly kind: 'answered'; readonly answer: RestoredAnswer }
  | { readonly kind: 'failed'; readonly status: string | null; readonly code: string | null };
