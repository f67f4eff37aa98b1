import { MIN_SCORE } from './nearness.ts';

export interface SearchRequest {
  readonly tenantId: string;
  /** Query text: a name in English or Japanese, an alias, an item number or a part of it. */
  readonly query: string;
  /** Maximum number of matches. */
  readonly limit: number;
}

/** Sorts by score, then by key; drops matches below the minimum, and rounds scores to three digits. */
export function rankMatches<Match extends { readonly score: number }>(
  matches: readonly Match[],
  limit: number,
  keyOf: (match: Match) => string,
): Match[] {
  return matches
    .filter((match) => match.score >= MIN_SCORE)
    .map((match) => ({ ...match, score: Math.round(match.score * 1000) / 1000 }))
    .sort((a, b) => b.score - a.score || (keyOf(a) < keyOf(b) ? -1 : 1))
    .slice(0, limit);
}
