import { LEAST_SCORE } from './nearness.js';

export interface SearchRequest {
  readonly tenantId: string;
  /** Anything a person might write: a name in English or Japanese, an alias, a number or a piece of one. */
  readonly query: string;
  /** At most so many matches. */
  readonly limit: number;
}

/** Best first, equal ones in the order of their keys, noise left out, scores rounded to three digits. */
export function rankMatches<Match extends { readonly score: number }>(
  matches: readonly Match[],
  limit: number,
  keyOf: (match: Match) => string,
): Match[] {
  return matches
    .filter((match) => match.score >= LEAST_SCORE)
    .map((match) => ({ ...match, score: Math.round(match.score * 1000) / 1000 }))
    .sort((a, b) => b.score - a.score || (keyOf(a) < keyOf(b) ? -1 : 1))
    .slice(0, limit);
}
