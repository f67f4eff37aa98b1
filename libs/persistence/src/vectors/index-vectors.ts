import type { DataSource, EntityManager } from 'typeorm';
import { queryRows } from '../sql.js';
import { halfvecOfBytes } from './halfvec-text.js';
import {
  ADD_SPACE_SQL,
  createIndexSql,
  INDEX_SQL,
  TAKE_UNINDEXED_SQL,
  UNINDEXED_SPACES_SQL,
  type IndexedSpace,
} from './vector-index-sql.js';
import { hasVectorIndexTable } from './vector-index-table.js';

/** Below this many vectors of a model there is nothing to be gained, and anybody may name models. */
const INDEXED_FROM = 5_000;
/** Put in by one transaction: each of them takes milliseconds. */
const VECTORS_AT_ONCE = 100;
/** One run ends after so many of them, and the next one goes on. */
const MOST_BATCHES = 100;

/**
 * Puts vectors into indexes of `pgvector`, where that is there: behind those who take documents in, which know nothing of
 * it. What no index has yet is compared one by one. Any number of processes may do so at the same time.
 */
export class IndexVectors {
  constructor(
    private readonly dataSource: DataSource,
    private readonly indexedFrom = INDEXED_FROM,
  ) {}

  /** Answers how many it has put in. */
  async execute(): Promise<number> {
    if (!(await hasVectorIndexTable(this.dataSource))) return 0;
    let indexed = 0;
    for (const space of await queryRows<IndexedSpace>(this.dataSource, UNINDEXED_SPACES_SQL, [
      this.indexedFrom,
    ]))
      indexed += await this.indexSpace(space);
    return indexed;
  }

  private async indexSpace(space: IndexedSpace): Promise<number> {
    await this.addSpace(space);
    let indexed = 0;
    for (let batch = 0; batch < MOST_BATCHES; batch += 1) {
      const added = await this.dataSource.transaction((manager) => indexSome(manager, space));
      indexed += added;
      if (added < VECTORS_AT_ONCE) break;
    }
    return indexed;
  }

  /** Made before there is a vector of it, an index takes no time. */
  private async addSpace(space: IndexedSpace): Promise<void> {
    await this.dataSource.transaction(async (manager) => {
      const [added] = await queryRows(manager, ADD_SPACE_SQL, [space.model, space.dimensions]);
      if (added !== undefined) await manager.query(createIndexSql(space));
    });
  }
}

interface UnindexedRow {
  readonly tenantId: string;
  readonly llmId: number;
  readonly contentHash: Buffer;
  readonly vector: Buffer;
}

/** What is being removed meanwhile waits for it, and takes its entry along. */
async function indexSome(manager: EntityManager, { model, dimensions }: IndexedSpace): Promise<number> {
  const rows = await queryRows<UnindexedRow>(manager, TAKE_UNINDEXED_SQL, [
    ...[model, dimensions, VECTORS_AT_ONCE],
  ]);
  if (rows.length === 0) return 0;
  await queryRows(manager, INDEX_SQL, [
    ...[model, dimensions],
    rows.map(({ tenantId }) => tenantId),
    rows.map(({ llmId }) => llmId),
    rows.map(({ contentHash }) => contentHash),
    rows.map(({ vector }) => halfvecOfBytes(vector)),
  ]);
  return rows.length;
}
