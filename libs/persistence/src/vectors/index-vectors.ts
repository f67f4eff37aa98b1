import { fromHalfVector } from '#libs/knowledge';
import type { DataSource, EntityManager } from 'typeorm';
import { queryRows } from '../sql.js';
import { halfvecOf } from './halfvec-text.js';
import {
  ADD_SPACE_SQL,
  createIndexSql,
  INDEX_SQL,
  TAKE_UNINDEXED_SQL,
  UNINDEXED_SPACES_SQL,
  type IndexedSpace,
} from './vector-index-sql.js';
import { hasVectorIndexTable } from './vector-index-table.js';

/** Number of vectors of a model from which on an index pays. Clients name models, so there may be many small ones. */
const INDEXED_FROM = 5_000;
/** Number of vectors that one transaction inserts; each takes milliseconds. */
const VECTORS_AT_ONCE = 100;
/** Limit of transactions in one run; the next run goes on. */
const MAX_BATCHES = 100;

/**
 * Inserts vectors into indexes of `pgvector`, where the extension exists, after their documents were accepted. Searches
 * compare vectors that no index has yet one by one. Any number of processes may run it at the same time.
 */
export class IndexVectors {
  constructor(
    private readonly dataSource: DataSource,
    private readonly indexedFrom = INDEXED_FROM,
  ) {}

  /** Answers how many it has inserted. */
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
    for (let batch = 0; batch < MAX_BATCHES; batch += 1) {
      const added = await this.dataSource.transaction((manager) => indexSome(manager, space));
      indexed += added;
      if (added < VECTORS_AT_ONCE) break;
    }
    return indexed;
  }

  /** Creates the index while it is empty, which takes no time. */
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

/** A concurrent removal of one of these vectors waits for this transaction, and removes its entry in the index, too. */
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
    rows.map(({ vector }) => halfvecOf(fromHalfVector(vector))),
  ]);
  return rows.length;
}
