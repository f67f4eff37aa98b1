import { distance } from 'fastest-levenshtein';

/** An unknown key, with the known key that was probably meant. */
export interface ResemblingKey {
  readonly key: string;
  readonly meant: string;
}

/** Maximum differing letters of a misspelt key. */
const MAX_LETTERS = 2;
/** Minimum letters of an abbreviation: `max` for `maximum`. */
const MIN_ABBREVIATION = 3;
/** Minimum letters that two keys share where only some of their words match. */
const MIN_COMMON_LETTERS = 4;

/**
 * Finds unknown keys that resemble known ones: up to two letters differ, or words are abbreviated or missing
 * (`max_iterations`, `maxTokens`, `timeout`). Pure.
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

/** Whether each word of the shorter key matches another word of the longer one, and at least half of these words. */
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
