import type { ChunkIndex } from '#libs/knowledge';
import type { DataSource } from 'typeorm';
import { ExactChunkIndex } from '../knowledge/exact-chunk-index.js';
import { PgvectorChunkIndex } from './pgvector-chunk-index.js';
import { hasVectorIndexTable } from './vector-index-table.js';

/** The index of chunks that the database supports. Whether it has `pgvector` is asked once. */
export async function openChunkIndex(
  dataSource: DataSource,
  options: { readonly cacheBytes: number },
): Promise<ChunkIndex> {
  const exact = new ExactChunkIndex(dataSource, options);
  return (await hasVectorIndexTable(dataSource)) ? new PgvectorChunkIndex(dataSource, exact) : exact;
}
