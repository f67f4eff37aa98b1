import { countedParts } from './counted-parts.js';
import { encodings, type EncodingName } from './load-encoding.js';

/** Special tokens within a text are counted as plain text. */
const ALL_IS_TEXT = { disallowedSpecial: new Set<string>() };

/** Models with `o200k_base`; all other current OpenAI models, embedding models included, use `cl100k_base`. */
const O200K = /^(gpt-4o|gpt-4\.1|gpt-5|o[1-9]|chatgpt-4o)/;

/** Encoding of a model; an assumption for unknown ones. */
export function encodingOf(model: string): EncodingName {
  return O200K.test(model) ? 'o200k_base' : 'cl100k_base';
}

/** Loads a model's encoding step by step; otherwise the first count loads it without a break. */
export function loadTokenCounterOf(model: string): Promise<void> {
  return encodings.load(encodingOf(model));
}

/**
 * Counts tokens by an OpenAI model's tokenizer. Other models use `cl100k_base` as an estimate, which is within 20 % for
 * most texts. Long texts are estimated: see {@link countedParts}.
 */
export function tokenCounterOf(model: string): (text: string) => number {
  const encoding = encodingOf(model);
  return (text) => {
    if (text === '') return 0;
    const encoder = encodings.get(encoding);
    const { parts, scale } = countedParts(text);
    return Math.ceil(scale * parts.reduce((sum, part) => sum + encoder.countTokens(part, ALL_IS_TEXT), 0));
  };
}
