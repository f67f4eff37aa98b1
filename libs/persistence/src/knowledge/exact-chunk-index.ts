import { setImmediate as letOthersRun } from 'node:timers/promises';
import {
  ChunkIndex,
  NearestHalves,
  toSearchedWords,
  type FoundChunk,
  type NearChunk,
  type SearchedDatasource,
  type SearchedSpace,
  type VectorBlock,
} from '#libs/knowledge';
import { toStorableText } from '#libs/kernel';
import type { DataSource } from 'typeorm';
import { queryRows } from '../sql.js';
import { DATASOURCES_SQL, LIVE_GENERATIONS_SQL, READ_CHUNKS_SQL, VECTORS_SQL } from './chunk-index-sql.js';
import { MATCHING_SQL } from './matching-sql.js';
import { toVectorBlock, type ChunkVector } from './vector-block.js';
import { VectorCache } from './vector-cache.js';

/** Number of chunks that are read and compared at once, in a few milliseconds. */
const CHUNKS_AT_ONCE = 2_000;
/** Words of a longer question are left out. */
const MAX_CHARS = 8_000;

/** Consecutive chunks of a live generation. */
interface Part {
  readonly documentId: string;
  readonly generation: number;
  readonly first: number;
  readonly chunks: number;
}

/**
 * Compares a question with every vector: exact, and without an extension of PostgreSQL. It asks for the live generations at
 * each search, and caches their vectors as far as there is room.
 */
export class ExactChunkIndex extends ChunkIndex {
  private readonly cache: VectorCache;
  private searches = 0;

  constructor(
    private readonly dataSource: DataSource,
    { cacheBytes }: { readonly cacheBytes: number },
  ) {
    super();
    this.cache = new VectorCache(cacheBytes);
  }

  override datasources(
    tenantId: string,
    datasourceIds: readonly number[],
  ): Promise<readonly SearchedDatasource[]> {
    return queryRows<SearchedDatasource>(this.dataSource, DATASOURCES_SQL, [tenantId, datasourceIds]);
  }

  override async nearest(
    where: SearchedSpace,
    vector: Float32Array,
    limit: number,
    signal: AbortSignal,
  ): Promise<readonly NearChunk[]> {
    const search = ++this.searches;
    const nearest = new NearestHalves(vector, limit);
    for (const parts of batchesOf(await this.findParts(where))) {
      signal.throwIfAborted();
      for (const block of await this.blocksOf(where, parts, search)) nearest.look(block);
      await letOthersRun();
    }
    return nearest.nearest;
  }

  override async matching(
    tenantId: string,
    datasourceIds: readonly number[],
    question: string,
    limit: number,
  ): Promise<readonly number[]> {
    const text = toSearchedWords(toStorableText(question.slice(0, MAX_CHARS)));
    const parameters = [tenantId, datasourceIds, text, limit];
    const rows = await queryRows<{ chunkId: number }>(this.dataSource, MATCHING_SQL, parameters);
    return rows.map(({ chunkId }) => chunkId);
  }

  override read(tenantId: string, chunkIds: readonly number[]): Promise<readonly FoundChunk[]> {
    return queryRows<FoundChunk>(this.dataSource, READ_CHUNKS_SQL, [tenantId, chunkIds]);
  }

  private async findParts({ tenantId, datasourceIds, space }: SearchedSpace): Promise<readonly Part[]> {
    const live = await queryRows<{ documentId: string; generation: number; chunkCount: number }>(
      this.dataSource,
      LIVE_GENERATIONS_SQL,
      [tenantId, datasourceIds, space.llmId, space.embedModel, space.dimensions],
    );
    return live.flatMap(({ documentId, generation, chunkCount }) =>
      Array.from({ length: Math.ceil(chunkCount / CHUNKS_AT_ONCE) }, (_none, index): Part => {
        const first = index * CHUNKS_AT_ONCE;
        return { documentId, generation, first, chunks: Math.min(CHUNKS_AT_ONCE, chunkCount - first) };
      }),
    );
  }

  private async blocksOf(
    { tenantId, space }: SearchedSpace,
    parts: readonly Part[],
    search: number,
  ): Promise<readonly VectorBlock[]> {
    const known = parts.map((part) => this.cache.find(keyOf(part), search));
    const missing = parts.filter((_part, index) => known[index] === null);
    if (missing.length === 0) return known.filter((block) => block !== null);
    const rows = await queryRows<VectorRow>(this.dataSource, VECTORS_SQL, [
      ...[tenantId, space.llmId, space.embedModel, space.dimensions],
      missing.map(({ documentId }) => documentId),
      missing.map(({ generation }) => generation),
      missing.map(({ first }) => first),
      CHUNKS_AT_ONCE,
    ]);
    const byPlace = Map.groupBy(rows, ({ place }) => place);
    const read = missing.map((part, index) => {
      const block = toVectorBlock(byPlace.get(index + 1) ?? [], space.dimensions);
      this.cache.keep(keyOf(part), block, search);
      return block;
    });
    return [...known.filter((block) => block !== null), ...read];
  }
}

interface VectorRow extends ChunkVector {
  readonly place: number;
}

/** A datasource has one space, and never another one. */
function keyOf({ documentId, generation, first }: Part): string {
  return `${documentId}/${generation}/${first}`;
}

function batchesOf(parts: readonly Part[]): readonly (readonly Part[])[] {
  const batches: Part[][] = [];
  let chunks = 0;
  for (const part of parts) {
    const last = batches.at(-1);
    if (last === undefined || chunks + part.chunks > CHUNKS_AT_ONCE) {
      batches.push([part]);
      chunks = part.chunks;
    } else {
      last.push(part);
      chunks += part.chunks;
    }
  }
  return batches;
}
