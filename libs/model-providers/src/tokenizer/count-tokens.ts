import { type EncodingName, encodings } from './load-encoding.js';

/** Special tokens within a text are counted as plain text. */
const ALL_IS_TEXT = { disallowedSpecial: new Set<string>() };

/** Models with `o200k_base`; all other current OpenAI models, embedding models included, use `cl100k_base`. */
const O200K = /^(gpt-4o|gpt-4\.1|gpt-5|o[1-9]|chatgpt-4o)/;

/** Encoding of a model; an assumption for unknown ones. */
function encodingOf(model: string): EncodingName {
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

/** Maximum characters counted per text, because counting blocks the process. */
export const MAX_COUNTED_CHARS = 20_000;

/** Characters per part: tokenizing a run of letters takes quadratic time. */
const PART_CHARS = 500;

const MAX_PARTS = MAX_COUNTED_CHARS / PART_CHARS;

/** Parts of a text to be tokenized; the sum of their tokens times `scale` estimates the whole text. */
interface CountedParts {
  readonly parts: readonly string[];
  readonly scale: number;
}

/**
 * All parts of a text with up to {@link MAX_COUNTED_CHARS} characters. Longer texts are sampled at equal distances,
 * because their beginning may differ in kind from the rest.
 */
export function countedParts(text: string): CountedParts {
  if (text.length <= MAX_COUNTED_CHARS) return { parts: partsOf(text), scale: 1 };
  const distance = (text.length - PART_CHARS) / (MAX_PARTS - 1);
  const parts = Array.from({ length: MAX_PARTS }, (_, at) => {
    const from = Math.floor(at * distance);
    return text.slice(from, from + PART_CHARS);
  });
  return { parts, scale: text.length / MAX_COUNTED_CHARS };
}

/** Splits before blanks, which keeps words intact; only runs longer than a part are split inside. */
function partsOf(text: string): readonly string[] {
  const parts: string[] = [];
  for (let at = 0; at < text.length;) {
    const most = at + PART_CHARS;
    const blank = most < text.length ? text.lastIndexOf(' ', most) : -1;
    const end = blank > at ? blank : most;
    parts.push(text.slice(at, end));
    at = end;
  }
  return parts;
}
