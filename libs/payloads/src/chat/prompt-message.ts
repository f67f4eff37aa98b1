import type { JsonObject } from '#libs/kernel';
import type { AnswerPart } from './answer-part.js';

export interface PromptToolCall {
  /** The provider's `call_id`. */
  readonly id: string;
  readonly name: string;
  /** JSON text, as the model wrote it. */
  readonly arguments: string;
}

/** Media sent unconverted with the text of a message. */
export interface PromptMedia {
  readonly kind: 'image' | 'file';
  readonly name: string;
  readonly mediaType: string;
  readonly base64: string;
}

/** Prompt message in a provider-neutral format; `toResponsesInput` converts it into input items. */
export type PromptMessage =
  | { readonly role: 'system' | 'developer'; readonly content: string }
  | { readonly role: 'user'; readonly content: string; readonly media?: readonly PromptMedia[] }
  | {
      readonly role: 'assistant';
      readonly content: string;
      readonly toolCalls?: readonly PromptToolCall[];
      /** Provider items that must be returned unchanged before the answer, e.g. encrypted reasoning. */
      readonly providerItems?: readonly JsonObject[];
      /** Order of the answer's pieces, unless it is the plain one. */
      readonly parts?: readonly AnswerPart[];
    }
  | { readonly role: 'tool'; readonly toolCallId: string; readonly content: string };

/** Data URL by RFC 2397. */
export function dataUrlOf({ mediaType, base64 }: PromptMedia): string {
  return `data:${mediaType};base64,${base64}`;
}
