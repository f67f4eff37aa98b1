import { wholeCharacters } from '#libs/tooling';

/** Bytes of UTF-8 of the answer that an execution and its conversation keep. */
export const MAX_ANSWER_BYTES = 1_048_576;

/** Says that there was more of the text than is kept. */
export interface Truncatable {
  readonly truncated?: true;
}

/** The beginning of an answer, as much as is kept, and whether there was more. */
export function keptAnswer(text: string): { readonly text: string } & Truncatable {
  const kept = wholeCharacters(text.toWellFormed(), MAX_ANSWER_BYTES);
  return kept.length === text.length ? { text } : { text: kept, truncated: true };
}
