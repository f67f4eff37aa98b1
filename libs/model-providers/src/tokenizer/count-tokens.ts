import { countedParts } from './counted-parts.js';
import { encodings, type EncodingName } from './load-encoding.js';

/** Texts may hold what a model takes for a sign of its own: here it is text. */
const ALL_IS_TEXT = { disallowedSpecial: new Set<string>() };

/** Models that read by `o200k_base`; all others of OpenAI that are still there, those for vectors too, by `cl100k_base`. */
const O200K = /^(gpt-4o|gpt-4\.1|gpt-5|o[1-9]|chatgpt-4o)/;

/** By which of the two a model reads, or is taken to. */
export function encodingOf(model: string): EncodingName {
  return O200K.test(model) ? 'o200k_base' : 'cl100k_base';
}

/** Loads what counts the tokens of a model, in steps; without this, the first text loads it in one piece. */
export function loadTokenCounterOf(model: string): Promise<void> {
  return encodings.load(encodingOf(model));
}

/**
 * Counts tokens by the tokenizer of a model of OpenAI. What other models have is not known here: `cl100k_base` stands for
 * it, which for most texts is within a fifth of it. The count of a long text is an estimate: see {@link countedParts}.
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
