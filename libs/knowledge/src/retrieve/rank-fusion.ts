/** A chunk with what its places in several rankings are worth together. */
export interface FusedChunk {
  readonly chunkId: number;
  readonly worth: number;
}

/** The constant of the paper: how little the first place is worth more than the next ones. */
const K = 60;

/**
 * Pure: reciprocal rank fusion (Cormack, Clarke, Büttcher: SIGIR 2009). A place in a ranking, from 1, is worth
 * 1 / (60 + place). What is worth most comes first, and what is worth the same by its id.
 *
 * @param rankings ids, best first; none twice in one ranking
 */
export function fuseRankings(rankings: readonly (readonly number[])[]): readonly FusedChunk[] {
  const worths = new Map<number, number>();
  for (const ranking of rankings)
    for (const [index, chunkId] of ranking.entries())
      worths.set(chunkId, (worths.get(chunkId) ?? 0) + 1 / (K + index + 1));
  return [...worths]
    .map(([chunkId, worth]) => ({ chunkId, worth }))
    .sort((a, b) => b.worth - a.worth || a.chunkId - b.chunkId);
}

/** Pure: the first of each ranking, then the second of each …; among those of one place what is worth most comes first. */
export function mergeByRank(rankings: readonly (readonly FusedChunk[])[]): readonly FusedChunk[] {
  return rankings
    .flatMap((ranking) => ranking.map((chunk, index) => ({ chunk, index })))
    .sort((a, b) => a.index - b.index || b.chunk.worth - a.chunk.worth || a.chunk.chunkId - b.chunk.chunkId)
    .map(({ chunk }) => chunk);
}
