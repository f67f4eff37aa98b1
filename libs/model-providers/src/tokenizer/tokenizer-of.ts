import { encodingOf, loadTokenCounterOf, tokenCounterOf } from './count-tokens.js';

/** Counts tokens for a model. */
export interface Tokenizer {
  /** Models with equal names have equal counts. */
  readonly name: string;
  /** Loads the encoding step by step, yielding to the event loop. */
  load(): Promise<void>;
  count(text: string): number;
}

/** The tokenizer of an OpenAI model; an approximation for other models. */
export function tokenizerOf(model: string): Tokenizer {
  return { name: encodingOf(model), load: () => loadTokenCounterOf(model), count: tokenCounterOf(model) };
}
