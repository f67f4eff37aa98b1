import type { JsonObject } from '#libs/kernel';
import type { AnswerPart } from '../chat/answer-part.js';
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
  /** Encrypted reasoning, to be sent again with this answer. */
  readonly providerItems: readonly JsonObject[];
  /** Left out where the plain order says it all: reasoning, one text, calls. */
  readonly parts?: readonly AnswerPart[];
  /** What the provider says of places in `text`; left out where it says nothing. */
  readonly annotations?: readonly JsonObject[];
  /** Calls that cannot be run, since they have no name or no id, or were broken off; left out where there are none. */
  readonly droppedCalls?: number;
}

/** What a call that gave no answer has cost all the same. */
export interface ReportedUsage {
  readonly responseId: string | null;
  readonly model: string | null;
  readonly usage: TokenUsage;
}

/** What a provider said how a call ended. */
export type ResponseEnding =
  | { readonly kind: 'answered'; readonly answer: RestoredAnswer }
  | {
      readonly kind: 'failed';
      readonly status: string | null;
      /** Short and harmless, or `null` when the provider sent nothing of the kind. */
      readonly code: string | null;
      /** The provider's own words, which may quote anything that it was sent. */
      readonly message: string | null;
      readonly reported: ReportedUsage | null;
    };
