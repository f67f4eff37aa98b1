import {
  ChunkIndex,
  NearestHalves,
  type FoundChunk,
  type NearChunk,
  type SearchedDatasource,
  type SearchedSpace,
} from '#libs/knowledge';
import type { DataSource } from 'typeorm';
import { PLANNED_ANEW } from '../plan-settings.js';
import { queryRows } from '../sql.js';
import { toVectorBlock, type ChunkVector } from '../knowledge/vector-block.js';
import { isScanned, SCAN_BOUNDS, type ScanBounds, type SearchSizes } from './choose-search.js';
import { halfvecOf } from './halfvec-text.js';
import { BEHIND_SQL, SCAN_SETTINGS_SQL, scanSql, SIZES_SQL } from './vector-index-sql.js';

/** Number of candidates in a search of the graph. More find more of the nearest; pgvector takes at most 1 000. */
const candidatesFor = (limit: number): number => Math.min(1_000, Math.max(200, 2 * limit));
/** Number of chunks that are read beyond the limit, and sorted, since a scan answers them only about in order. */
const BEYOND = 50;

/**
 * Asks an index of `pgvector` for the nearest chunks if there are so many that comparing all would take longer. Vectors that
 * the index does not have yet are compared beside it, so that a document is found as soon as without an index.
 */
export class PgvectorChunkIndex extends ChunkIndex {
  /** @param exact compares all, where the index is not used */
  constructor(
    private readonly dataSource: DataSource,
    private readonly exact: ChunkIndex,
    private readonly bounds: ScanBounds = SCAN_BOUNDS,
  ) {
    super();
  }

  override datasources(
    tenantId: string,
    datasourceIds: readonly number[],
  ): Promise<readonly SearchedDatasource[]> {
    return this.exact.datasources(tenantId, datasourceIds);
  }

  override async nearest(
    where: SearchedSpace,
    vector: Float32Array,
    limit: number,
    signal: AbortSignal,
  ): Promise<readonly NearChunk[]> {
    const found = await this.ask(where, vector, limit, signal);
    signal.throwIfAborted();
    return found ?? this.exact.nearest(where, vector, limit, signal);
  }

  override matching(
    tenantId: string,
    datasourceIds: readonly number[],
    question: string,
    limit: number,
  ): Promise<readonly number[]> {
    return this.exact.matching(tenantId, datasourceIds, question, limit);
  }

  override read(tenantId: string, chunkIds: readonly number[]): Promise<readonly FoundChunk[]> {
    return this.exact.read(tenantId, chunkIds);
  }

  /** Null if all are to be compared. */
  private async ask(
    where: SearchedSpace,
    vector: Float32Array,
    limit: number,
    signal: AbortSignal,
  ): Promise<readonly NearChunk[] | null> {
    const sizes = await this.measure(where);
    if (sizes.chunks === 0) return [];
    if (!isScanned(sizes, limit, this.bounds)) return null;
    // Before the scan: a vector that is indexed in between is found twice, rather than not at all.
    const behind = await this.findBehind(where);
    if (behind.length > this.bounds.mostBehind) return null;
    signal.throwIfAborted();
    const scanned = await this.scan(where, vector, limit);
    // The scan has ended too early: the nearest vectors belong to other datasources.
    if (scanned.length < Math.min(limit, sizes.chunks - behind.length)) return null;
    const beside = new NearestHalves(vector, limit);
    beside.look(toVectorBlock(behind, where.space.dimensions));
    return merge([...scanned, ...beside.nearest], limit);
  }

  private async measure({ tenantId, datasourceIds, space }: SearchedSpace): Promise<SearchSizes> {
    const { llmId, embedModel, dimensions } = space;
    const asked = [tenantId, datasourceIds, llmId, embedModel, dimensions];
    const [sizes] = await queryRows<SearchSizes>(this.dataSource, SIZES_SQL, asked);
    return sizes ?? { chunks: 0, vectors: null };
  }

  private findBehind({ tenantId, datasourceIds, space }: SearchedSpace): Promise<ChunkVector[]> {
    const { llmId, embedModel, dimensions } = space;
    return queryRows<ChunkVector>(this.dataSource, BEHIND_SQL, [
      ...[tenantId, llmId, embedModel, dimensions, datasourceIds, this.bounds.mostBehind + 1],
    ]);
  }

  private scan(
    { tenantId, datasourceIds, space }: SearchedSpace,
    vector: Float32Array,
    limit: number,
  ): Promise<NearChunk[]> {
    const { llmId, embedModel: model, dimensions } = space;
    return this.dataSource.transaction(async (manager) => {
      const settings = [String(candidatesFor(limit)), String(this.bounds.mostScanned)];
      await queryRows(manager, SCAN_SETTINGS_SQL, settings);
      const sql = `${PLANNED_ANEW} ${scanSql({ model, dimensions }, limit + BEYOND)}`;
      return queryRows<NearChunk>(manager, sql, [halfvecOf(vector), tenantId, llmId, datasourceIds]);
    });
  }
}

/** Pure: each chunk once, best first. */
function merge(found: readonly NearChunk[], limit: number): readonly NearChunk[] {
  return [...new Map(found.map((chunk) => [chunk.chunkId, chunk])).values()]
    .sort((a, b) => b.similarity - a.similarity || a.chunkId - b.chunkId)
    .slice(0, limit);
}
