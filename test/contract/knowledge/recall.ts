import type { ChunkIndex, NearChunk, SearchedSpace } from '#libs/knowledge';

const NEVER = new AbortController().signal;

/**
 * How much of the nearest chunks an index finds: of the `limit` nearest of each question the share that it has among its
 * own, on average.
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
