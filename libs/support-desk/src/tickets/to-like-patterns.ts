const MOST_WORDS = 8;
const SHORTEST_WORD = 2;

/** One `LIKE` pattern for each of the first eight words with at least two characters; special characters are escaped. */
export function toLikePatterns(words: string): readonly string[] {
  const found = words.split(/[^\p{L}\p{N}%_\\-]+/u).filter((word) => word.length >= SHORTEST_WORD);
  return [...new Set(found)].slice(0, MOST_WORDS).map((word) => `%${word.replace(/[\\%_]/g, '\\$&')}%`);
}
