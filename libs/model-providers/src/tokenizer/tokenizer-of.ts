import { encodingOf, tokenCounterOf } from './count-tokens.js';

/** How many tokens a model finds in texts. */
export interface Tokenizer {
  /** Models of one name count alike. */
  readonly name: string;
  count(text: string): number;
}

/** What is counted of a text by itself: a message may be a megabyte, and counting it blocks the process. */
const MOST_CHARS = 200_000;

/** The tokenizer of a model. A text longer than {@link MOST_CHARS} counts as its beginning does, in proportion. */
export function tokenizerOf(model: string): Tokenizer {
  const countAll = tokenCounterOf(model);
  const count = (text: string): number => {
    if (text.length <= MOST_CHARS) return countAll(text);
    return Math.ceil((countAll(text.slice(0, MOST_CHARS)) * text.length) / MOST_CHARS);
  };
  return { name: encodingOf(model), count };
}
