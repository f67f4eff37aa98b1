import { wordLikeness } from './word-likeness.js';

/** Matches below are noise and are not shown. */
export const LEAST_SCORE = 0.35;

/** Only an equal text is 1. */
const BEST_OF_UNEQUAL = 0.99;
const WEIGHT_OF_QUERY = 0.7;
const HEAVIEST_WORD = 6;
const WEIGHT_OF_NUMBER = 2;

/**
 * How near a known text is to a query, 0..1, both folded by `toSearchText`. Equal up to spaces is 1; else mostly how
 * much of the query the text covers, and for the rest how much of the text the query covers. Order of words does not
 * matter. As a rule of thumb 0.6 and more is the same thing misspelt or shortened, 0.5 and less is something else that
 * shares a word.
 */
export function nearness(query: string, text: string): number {
  if (query === '' || text === '') return 0;
  if (query.replaceAll(' ', '') === text.replaceAll(' ', '')) return 1;
  const asked = query.split(' ');
  const known = text.split(' ');
  const blend = WEIGHT_OF_QUERY * coverage(asked, known) + (1 - WEIGHT_OF_QUERY) * coverage(known, asked);
  return Math.min(blend, BEST_OF_UNEQUAL);
}

/** The share of `words` that `others` have something like, long words counting more than short ones and numbers. */
function coverage(words: readonly string[], others: readonly string[]): number {
  let covered = 0;
  let total = 0;
  for (const word of words) {
    const weight = weightOf(word);
    total += weight;
    covered += weight * Math.max(...others.map((other) => wordLikeness(word, other)));
  }
  return covered / total;
}

function weightOf(word: string): number {
  return /\d/.test(word) ? WEIGHT_OF_NUMBER : Math.min(word.length, HEAVIEST_WORD);
}
