/** A chunk with its fused score over several rankings. */
export interface FusedChunk {
  readonly chunkId: number;
  readonly worth: number;
}

/** The paper's constant: a larger value lowers the advantage of the first ranks. */
const K = 60;

/**
 * Reciprocal rank fusion (Cormack, Clarke, Büttcher: SIGIR 2009): a rank, from 1, scores 1 / (60 + rank). Ordered by
 * total score, ties by id. Pure.
 *
 * @param rankings ids, best first, without duplicates per ranking
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

/**
 * Interleaves rankings: all first places, then all second places, and so on; equal places are ordered by score. Pure.
 */
export function mergeByRank(rankings: readonly (readonly FusedChunk[])[]): readonly FusedChunk[] {
  return rankings
    .flatMap((ranking) => ranking.map((chunk, index) => ({ chunk, index })))
    .sort((a, b) => a.index - b.index || b.chunk.worth - a.chunk.worth || a.chunk.chunkId - b.chunk.chunkId)
    .map(({ chunk }) => chunk);
}
