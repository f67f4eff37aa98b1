import { embedFeatures, type Feature } from './embed-features.js';
import { nGrams } from './embed-text.js';

const WORDS = /[\p{L}\p{N}]+/gu;
const SPELT_WITH_LETTERS = /^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{N}]+$/u;
const STEM_LETTERS = 3;

/** Word length, in letters, up to which a word has almost no weight ("the", "is"), and from which it has full weight. */
const EMPTY_LETTERS = 3;
const FULL_LETTERS = 7;
const MIN_WEIGHT = 0.05;

/**
 * A unit vector from the words of a text: texts with common words are near each other, others are nearly orthogonal at any
 * length. Words also count with their parts, so "archive" is near "archived"; long words weigh more, repetitions add little.
 * Scripts without spaces use characters in place of words.
 */
export function embedWords(text: string, dimensions: number): Float32Array {
  return embedFeatures(featuresOf(text), dimensions);
}

function featuresOf(text: string): readonly Feature[] {
  const found = new Map<string, { readonly weight: number; times: number }>();
  for (const word of text.normalize('NFKC').toLowerCase().match(WORDS) ?? []) {
    for (const { name, weight } of partsOf(word)) {
      const known = found.get(name);
      if (known === undefined) found.set(name, { weight, times: 1 });
      else known.times += 1;
    }
  }
  return [...found].map(([name, { weight, times }]) => ({ name, weight: weight * (1 + Math.log(times)) }));
}

function partsOf(word: string): readonly Feature[] {
  const characters = [...word];
  if (!SPELT_WITH_LETTERS.test(word))
    return nGrams(characters).map((name) => ({ name, weight: name.length }));
  const part = (characters.length - EMPTY_LETTERS) / (FULL_LETTERS - EMPTY_LETTERS);
  const weight = Math.min(1, Math.max(MIN_WEIGHT, part));
  const stems = nGrams([' ', ...characters, ' '], [STEM_LETTERS]);
  return [`=${word}`, ...stems].map((name) => ({ name, weight }));
}
