import type { ChunkIndex, NearChunk, SearchedSpace } from '#libs/knowledge';

const NEVER = new AbortController().signal;

/**
 * Recall of an index (0–1): the share of the `limit` exactly nearest chunks that the index returns among its own `limit`
 * chunks, averaged over the questions.
 */
export async function recallOf(
  index: Pick<ChunkIndex, 'nearest'>,
  exact: Pick<ChunkIndex, 'nearest'>,
  where: SearchedSpace,
  questions: readonly Float32Array[],
  limit: number,
): Promise<number> {
  let sum = 0;
  for (const question of questions) {
    const expected = idsOf(await exact.nearest(where, question, limit, NEVER));
    const found = new Set(idsOf(await index.nearest(where, question, limit, NEVER)));
    sum += expected.filter((id) => found.has(id)).length / expected.length;
  }
  return sum / questions.length;
}

const idsOf = (near: readonly NearChunk[]): readonly number[] => near.map(({ chunkId }) => chunkId);
