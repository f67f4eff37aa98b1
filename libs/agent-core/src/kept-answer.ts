import { wholeCharacters } from '#libs/tooling';

/** Maximum UTF-8 bytes of an answer that the execution and its conversation keep. */
export const MAX_ANSWER_BYTES = 1_048_576;

/** Marks a truncated text. */
export interface Truncatable {
  readonly truncated?: true;
}

/** Truncates an answer to {@link MAX_ANSWER_BYTES} and marks it if it was longer. */
export function keptAnswer(text: string): { readonly text: string } & Truncatable {
  const kept = wholeCharacters(text.toWellFormed(), MAX_ANSWER_BYTES);
  return kept.length === text.length ? { text } : { text: kept, truncated: true };
}
