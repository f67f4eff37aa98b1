import { createRequire } from 'node:module';
import type { countTokens } from 'gpt-tokenizer/encoding/cl100k_base';

type Encoding = 'o200k_base' | 'cl100k_base';
type CountTokens = typeof countTokens;

/** Texts may hold what a model takes for a sign of its own: here it is text. */
const ALL_IS_TEXT = { disallowedSpecial: new Set<string>() };

/** Models that read by `o200k_base`; all others of OpenAI that are still there, those for vectors too, by `cl100k_base`. */
const O200K = /^(gpt-4o|gpt-4\.1|gpt-5|o[1-9]|chatgpt-4o)/;

/** By which of the two a model reads, or is taken to. */
export function encodingOf(model: string): Encoding {
  return O200K.test(model) ? 'o200k_base' : 'cl100k_base';
}

/**
 * Counts tokens by the tokenizer of a model of OpenAI. What other models have is not known here: `cl100k_base` stands for
 * it, which for most texts is within a fifth of it.
 */
export function tokenCounterOf(model: string): (text: string) => number {
  const encoding = encodingOf(model);
  return (text) => {
    if (text === '') return 0;
    const count = counterOf(encoding);
    return partsOf(text).reduce((sum, part) => sum + count(part, ALL_IS_TEXT), 0);
  };
}

const require = createRequire(import.meta.url);
const loaded = new Map<Encoding, CountTokens>();

/** Each takes some forty megabytes, and most processes count by one of them or by none: it is loaded for its first text. */
function counterOf(encoding: Encoding): CountTokens {
  const known = loaded.get(encoding);
  if (known) return known;
  const { countTokens: count } = require(`gpt-tokenizer/encoding/${encoding}`) as {
    countTokens: CountTokens;
  };
  loaded.set(encoding, count);
  return count;
}

/** What a tokenizer does with a run of letters costs as the square of its length. */
const MOST_CHARS = 1_000;

/** Cut before a blank, tokenizers find the same words; only runs longer than any word are cut inside. */
function partsOf(text: string): readonly string[] {
  const parts: string[] = [];
  for (let at = 0; at < text.length;) {
    const most = at + MOST_CHARS;
    const blank = most < text.length ? text.lastIndexOf(' ', most) : -1;
    const end = blank > at ? blank : most;
    parts.push(text.slice(at, end));
    at = end;
  }
  return parts;
}
