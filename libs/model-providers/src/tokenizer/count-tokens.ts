import { createRequire } from 'node:module';
import type { countTokens, setMergeCacheSize } from 'gpt-tokenizer/encoding/cl100k_base';
import { countedParts } from './counted-parts.js';

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
 * it, which for most texts is within a fifth of it. The count of a long text is an estimate: see {@link countedParts}.
 */
export function tokenCounterOf(model: string): (text: string) => number {
  const encoding = encodingOf(model);
  return (text) => {
    if (text === '') return 0;
    const count = counterOf(encoding);
    const { parts, scale } = countedParts(text);
    return Math.ceil(scale * parts.reduce((sum, part) => sum + count(part, ALL_IS_TEXT), 0));
  };
}

const require = createRequire(import.meta.url);
const loaded = new Map<Encoding, CountTokens>();

/** Each takes some forty megabytes, and most processes count by one of them or by none: it is loaded for its first text. */
function counterOf(encoding: Encoding): CountTokens {
  const known = loaded.get(encoding);
  if (known) return known;
  const tokenizer = require(`gpt-tokenizer/encoding/${encoding}`) as {
    countTokens: CountTokens;
    setMergeCacheSize: typeof setMergeCacheSize;
  };
  // Its cache is shared by all tenants, slow once it is full, and holds the texts that its words are of.
  tokenizer.setMergeCacheSize(0);
  const count = tokenizer.countTokens;
  loaded.set(encoding, count);
  return count;
}
