const MOST_WORDS = 8;
const SHORTEST_WORD = 2;

/**
 * A pattern for `LIKE` of each word, of the first eight with two characters or more: what is special to it counts as
 * itself.
 */
export function toLikePatterns(words: string): readonly string[] {
  const found = words.split(/[^\p{L}\p{N}%_\\-]+/u).filter((word) => word.length >= SHORTEST_WORD);
  return [...new Set(found)].slice(0, MOST_WORDS).map((word) => `%${word.replace(/[\\%_]/g, '\\$&')}%`);
}
