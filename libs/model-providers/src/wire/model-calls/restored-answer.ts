import type { JsonObject } from '#libs/kernel';
import type { AnswerPart, PromptToolCall, TokenUsage, IncompleteReason } from '#libs/payloads';

/** Complete answer of a model API in neutral form; every text is storable. */
export interface RestoredAnswer {
  readonly responseId: string | null;
  /** Name of the answering model, as reported by the provider. */
  readonly model: string | null;
  readonly text: string;
  readonly thinking: string;
  /** Answerable calls: id and name are not blank, ids are unique. */
  readonly toolCalls: readonly PromptToolCall[];
  readonly usage: TokenUsage | null;
  readonly incompleteReason: Extract<IncompleteReason, 'max_output_tokens' | 'content_filter'> | null;
  /** Encrypted reasoning that must be sent again with this answer. */
  readonly providerItems: readonly JsonObject[];
  /** Omitted for the plain order: reasoning, one text, calls. */
  readonly parts?: readonly AnswerPart[];
  /** The provider's annotations of positions in `text`; omitted if there are none. */
  readonly annotations?: readonly JsonObject[];
  /** Number of calls that cannot run, without name or id or broken off; omitted if there are none. */
  readonly droppedCalls?: number;
}

/** Usage of a call that gave no answer. */
export interface ReportedUsage {
  readonly responseId: string | null;
  readonly model: string | null;
  readonly usage: TokenUsage;
}

/** Ending of a call, as the provider reports it. */
export type ResponseEnding =
  | { readonly kind: 'answered'; readonly answer: RestoredAnswer }
  /** The provider interrupted the answer; the next request, with `content` as the last turn, continues it. */
  | { readonly kind: 'paused'; readonly answer: RestoredAnswer; readonly content: readonly JsonObject[] }
  | {
      readonly kind: 'failed';
      readonly status: string | null;
      /** Short identifier without sensitive text; `null` if the provider sent none. */
      readonly code: string | null;
      /** The provider's own text, which may quote any part of the request. */
      readonly message: string | null;
      readonly reported: ReportedUsage | null;
    };
