import { wordLikeness } from './word-likeness.ts';

/** Minimum score of a match that is shown. */
export const MIN_SCORE = 0.35;

/** Maximum score of texts that are not equal. */
const BEST_OF_UNEQUAL = 0.99;
const WEIGHT_OF_QUERY = 0.7;
const HEAVIEST_WORD = 6;
const WEIGHT_OF_NUMBER = 2;

/**
 * Score of a known text for a query, 0 to 1, both folded by `toSearchText`. It is 1 for texts equal up to spaces; otherwise
 * mainly the share of the query that the text covers, then the share of the text that the query covers. The order of words
 * does not matter. From 0.6 texts are usually misspelt or shortened; up to 0.5 they only share a word.
 */
export function nearness(query: string, text: string): number {
  if (query === '' || text === '') return 0;
  if (query.replaceAll(' ', '') === text.replaceAll(' ', '')) return 1;
  const asked = query.split(' ');
  const known = text.split(' ');
  const blend = WEIGHT_OF_QUERY * coverage(asked, known) + (1 - WEIGHT_OF_QUERY) * coverage(known, asked);
  return Math.min(blend, BEST_OF_UNEQUAL);
}

/** Share of `words` with a similar word in `others`; long words weigh more than short ones and numbers. */
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
