import type { SearchQuery } from './search-query.js';

/**
 * How near an item number is to what a query may hold of one, 0..1, all folded by `toSearchCode`: the whole query is
 * the number 1, a word of the query is 0.98, its beginning 0.7 to 0.95, a piece from inside 0.6 to 0.85, else 0.
 */
export function codeNearness(query: SearchQuery, code: string): number {
  const { codes, partialCode } = query;
  if (partialCode === code) return 1;
  if (codes.includes(code)) return 0.98;
  if (partialCode === null || !code.includes(partialCode)) return 0;
  const share = partialCode.length / code.length;
  return (code.startsWith(partialCode) ? 0.7 : 0.6) + 0.25 * share;
}
