import { encodingOf, loadTokenCounterOf, tokenCounterOf } from './count-tokens.js';

/** How many tokens a model finds in texts. */
export interface Tokenizer {
  /** Models of one name count alike. */
  readonly name: string;
  /** Loads what it counts by, in steps between which other work has its turn. */
  load(): Promise<void>;
  count(text: string): number;
}

/** The tokenizer of a model of OpenAI; of other models, one that is near. */
export function tokenizerOf(model: string): Tokenizer {
  return { name: encodingOf(model), load: () => loadTokenCounterOf(model), count: tokenCounterOf(model) };
}
