import { encodingOf, tokenCounterOf } from './count-tokens.js';

/** How many tokens a model finds in texts. */
export interface Tokenizer {
  /** Models of one name count alike. */
  readonly name: string;
  count(text: string): number;
}

/** The tokenizer of a model of OpenAI; of other models, one that is near. */
export function tokenizerOf(model: string): Tokenizer {
  return { name: encodingOf(model), count: tokenCounterOf(model) };
}
