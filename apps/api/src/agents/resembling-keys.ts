import { distance } from 'fastest-levenshtein';

/** A key that means nothing here, and the one that was probably meant. */
export interface ResemblingKey {
  readonly key: string;
  readonly meant: string;
}

/** Letters that a misspelt key may differ by. */
const MAX_LETTERS = 2;
/** Letters that an abbreviated word has at least: `max` of `maximum`. */
const MIN_ABBREVIATION = 3;
/** Letters that two keys have in common at least where only some of their words do. */
const MIN_COMMON_LETTERS = 4;

/**
 * Keys of an object that only look known: one or two letters away from one that means something, or made of its words,
 * abbreviated or in part (`max_iterations`, `maxTokens`, `timeout`). Pure.
 */
export function findResemblingKeys(keys: readonly string[], known: readonly string[]): ResemblingKey[] {
  return keys.flatMap((key) => {
    if (known.includes(key)) return [];
    const meant = findMisspelt(key, known) ?? findByWords(key, known);
    return meant === undefined ? [] : { key, meant };
  });
}

function findMisspelt(key: string, known: readonly string[]): string | undefined {
  return nearest(
    key,
    known.filter((meant) => {
      const letters = lettersApart(key, meant);
      return letters <= MAX_LETTERS && letters < meant.length - 1;
    }),
  );
}

function findByWords(key: string, known: readonly string[]): string | undefined {
  const words = wordsOf(key);
  return nearest(
    key,
    known.filter((meant) => {
      const meantWords = wordsOf(meant);
      return isMadeOf(words, meantWords) || isMadeOf(meantWords, words);
    }),
  );
}

function nearest(key: string, candidates: readonly string[]): string | undefined {
  return candidates.toSorted((a, b) => lettersApart(key, a) - lettersApart(key, b))[0];
}

function lettersApart(key: string, meant: string): number {
  return distance(key.toLowerCase(), meant);
}

function wordsOf(key: string): string[] {
  const parted = key.replaceAll(/([a-z\d])([A-Z])/g, '$1_$2').toLowerCase();
  return parted.split(/[^a-z\d]+/).filter((word) => word !== '');
}

/** Whether each word of the shorter key stands for another word of the longer one, and for half of it at least. */
function isMadeOf(shorter: readonly string[], longer: readonly string[]): boolean {
  if (shorter.length === 0 || shorter.length * 2 < longer.length) return false;
  const left = [...longer];
  let common = 0;
  for (const word of shorter) {
    const at = left.findIndex((other) => meansTheSame(word, other));
    if (at === -1) return false;
    common += Math.min(word.length, left[at]?.length ?? 0);
    left.splice(at, 1);
  }
  return common >= MIN_COMMON_LETTERS;
}

function meansTheSame(word: string, other: string): boolean {
  if (word === other) return true;
  const [short, long] = word.length < other.length ? [word, other] : [other, word];
  return short.length >= MIN_ABBREVIATION && long.startsWith(short);
}
