const MAX_WORDS = 8;
const MIN_WORD = 2;

/** One `LIKE` pattern for each of the first eight words with at least two characters; special characters are escaped. */
export function toLikePatterns(words: string): readonly string[] {
  const found = words.split(/[^\p{L}\p{N}%_\\-]+/u).filter((word) => word.length >= MIN_WORD);
  return [...new Set(found)].slice(0, MAX_WORDS).map((word) => `%${word.replace(/[\\%_]/g, '\\$&')}%`);
}
