import type { SearchQuery } from './search-query.ts';

/**
 * Score of an item number for a query, 0 to 1, all folded by `toSearchCode`: 1 if the whole query is the number, 0.98 if a
 * word is, 0.7 to 0.95 for its start, 0.6 to 0.85 for an inner part, else 0.
 */
export function codeNearness(query: SearchQuery, code: string): number {
  const { codes, partialCode } = query;
  if (partialCode === code) return 1;
  if (codes.includes(code)) return 0.98;
  if (partialCode === null || !code.includes(partialCode)) return 0;
  const share = partialCode.length / code.length;
  return (code.startsWith(partialCode) ? 0.7 : 0.6) + 0.25 * share;
}
