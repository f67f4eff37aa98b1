import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  ChunkIndex,
  type FoundChunk,
  type NearChunk,
  type SearchedDatasource,
  type SearchedSpace,
} from '#libs/knowledge';
import { ExactChunkIndex, IndexVectors, openChunkIndex, PgvectorChunkIndex } from '#libs/persistence';
import type { DataSource } from 'typeorm';
import { PgvectorDatabase } from '../../support/services/pgvector-database.js';
import { describeChunkIndex } from './chunk-index.contract.js';
import { insertChunks } from './many-chunks.js';
import { inPostgres } from './postgres-backend.js';

/** Bounds that use the index for any number of vectors. */
const SCANNED_ALWAYS = { exactUpTo: 0, mostBehind: 100, mostScanned: 20_000 };
const EXACT = { cacheBytes: 1_000_000 };

/** Rejects an exact comparison of all vectors, so that indexed vectors are found by the index only. */
class NeverExact extends ExactChunkIndex {
  override nearest(): Promise<readonly NearChunk[]> {
    return Promise.reject(new Error('all are compared, though there is an index'));
  }
}

/** Indexes all vectors before each search, so that no search sees a vector that is not indexed yet. */
class IndexedFirst extends ChunkIndex {
  constructor(
    private readonly index: ChunkIndex,
    private readonly indexing: IndexVectors,
  ) {
    super();
  }
  override datasources(tenantId: string, ids: readonly number[]): Promise<readonly SearchedDatasource[]> {
    return this.index.datasources(tenantId, ids);
  }
  override async nearest(
    where: SearchedSpace,
    vector: Float32Array,
    limit: number,
    signal: AbortSignal,
  ): Promise<readonly NearChunk[]> {
    await this.indexing.execute();
    return this.index.nearest(where, vector, limit, signal);
  }
  override matching(
    tenantId: string,
    ids: readonly number[],
    question: string,
    limit: number,
  ): Promise<readonly number[]> {
    return this.index.matching(tenantId, ids, question, limit);
  }
  override read(tenantId: string, ids: readonly number[]): Promise<readonly FoundChunk[]> {
    return this.index.read(tenantId, ids);
  }
}

describe('finding chunks with pgvector', () => {
  let database: PgvectorDatabase;
  let dataSource: DataSource;
  beforeAll(async () => {
    database = await PgvectorDatabase.open();
    ({ dataSource } = database);
  });
  afterAll(() => database.close());

  const scanned = (exact: ExactChunkIndex) => new PgvectorChunkIndex(dataSource, exact, SCANNED_ALWAYS);
  const indexing = (from: number) => new IndexVectors(dataSource, from);

  it('is what a database with the extension is opened with', async () => {
    expect(await openChunkIndex(dataSource, EXACT)).toBeInstanceOf(PgvectorChunkIndex);
  });

  describe('with an index of all of them', () => {
    describeChunkIndex(async () => {
      const index = scanned(new NeverExact(dataSource, EXACT));
      return inPostgres(dataSource, new IndexedFirst(index, indexing(1)));
    });
  });

  describe('with no index of any yet', () => {
    describeChunkIndex(async () => {
      const index = scanned(new NeverExact(dataSource, EXACT));
      const backend = await inPostgres(dataSource, index);
      await dataSource.query(
        `INSERT INTO vector_index (model, dimensions) SELECT embed_model, dimensions FROM datasource`,
      );
      return backend;
    });
  });

  describe('too few for an index', () => {
    describeChunkIndex(async () => {
      const exact = new ExactChunkIndex(dataSource, EXACT);
      return inPostgres(dataSource, new IndexedFirst(scanned(exact), indexing(1_000)));
    });
  });

  describe('the table of an index', () => {
    const vectors = [Float32Array.of(1, 0), Float32Array.of(0, 1), Float32Array.of(-1, 0)];
    const counts = async (): Promise<unknown> => {
      const [row] = await dataSource.query<unknown[]>(
        `SELECT (SELECT vectors::int FROM vector_index) AS noted,
                (SELECT count(*)::int FROM embedding_half) AS indexed,
                (SELECT count(*)::int FROM embedding WHERE is_indexed) AS marked`,
      );
      return row;
    };
    beforeEach(async () => {
      const backend = await inPostgres(dataSource, new ExactChunkIndex(dataSource, EXACT));
      await insertChunks(dataSource, backend.datasourceId, vectors);
      expect(await indexing(1).execute()).toBe(3);
    });

    it('loses what is removed, and is counted anew by the next migration', async () => {
      expect(await counts()).toEqual({ noted: 3, indexed: 3, marked: 3 });
      await dataSource.query(`DELETE FROM embedding WHERE ctid IN (SELECT ctid FROM embedding LIMIT 1)`);
      expect(await counts()).toEqual({ noted: 3, indexed: 2, marked: 2 });
      await database.prepare();
      expect(await counts()).toEqual({ noted: 2, indexed: 2, marked: 2 });
      expect(await indexing(1).execute()).toBe(0);
    });

    it('goes with the extension, and is made anew with it', async () => {
      await dataSource.query(`DROP EXTENSION vector CASCADE`);
      expect(await openChunkIndex(dataSource, EXACT)).toBeInstanceOf(ExactChunkIndex);
      expect(await indexing(1).execute()).toBe(0);
      await database.prepare();
      expect(await openChunkIndex(dataSource, EXACT)).toBeInstanceOf(ExactChunkIndex);

      await dataSource.query(`CREATE EXTENSION vector`);
      await database.prepare();
      expect(await openChunkIndex(dataSource, EXACT)).toBeInstanceOf(PgvectorChunkIndex);
      expect(await counts()).toEqual({ noted: null, indexed: 0, marked: 0 });
      expect(await indexing(1).execute()).toBe(3);
      expect(await counts()).toEqual({ noted: 3, indexed: 3, marked: 3 });
    });
  });
});
