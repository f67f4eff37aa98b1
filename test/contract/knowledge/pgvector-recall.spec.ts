import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ChunkIndex, NearChunk, SearchedSpace } from '#libs/knowledge';
import { ExactChunkIndex, IndexVectors, PgvectorChunkIndex } from '#libs/persistence';
import type { DataSource } from 'typeorm';
import { RUNS_ALL } from '../../support/selection.js';
import { insertDatasource } from '../../support/services/insert-datasource.js';
import { PgvectorDatabase } from '../../support/services/pgvector-database.js';
import { insertChunks, seededRandom, Topics } from './many-chunks.js';
import { recallOf } from './recall.js';

/** Minimum share (0–1) of the `NEAREST` nearest chunks that the index must find. */
const MIN_RECALL = 0.95;
const NEAREST = 10;
const QUESTIONS = 40;
const DIMENSIONS = 64;
const TOPICS = 50;
/** Chunks of the three datasources: building an index of them in PGlite takes some 9 ms of CPU each. */
const CHUNKS = RUNS_ALL ? { large: 4_000, small: 900, apart: 100 } : { large: 400, small: 200, apart: 100 };
const BOUNDS = { exactUpTo: 0, mostBehind: 100, mostScanned: 20_000 };
const NEVER = new AbortController().signal;

describe('the recall of an index of pgvector', () => {
  const topics = new Topics(seededRandom(1), TOPICS, DIMENSIONS);
  const questions = Array.from({ length: QUESTIONS }, () => topics.draw());
  let database: PgvectorDatabase;
  let dataSource: DataSource;
  let exact: ExactChunkIndex;
  let large: number;
  let small: number;
  /** Id of the datasource that has chunks of topic 0 only. */
  let apart: number;

  beforeAll(async () => {
    database = await PgvectorDatabase.open();
    ({ dataSource } = database);
    exact = new ExactChunkIndex(dataSource, { cacheBytes: 10_000_000 });
    const make = async (name: string, chunks: number, topic?: number): Promise<number> => {
      const id = await insertDatasource(dataSource, { name, dimensions: DIMENSIONS });
      const vectors = Array.from({ length: chunks }, () => topics.draw(topic));
      await insertChunks(dataSource, id, vectors);
      return id;
    };
    large = await make('large', CHUNKS.large);
    small = await make('small', CHUNKS.small);
    apart = await make('apart', CHUNKS.apart, 0);
    const indexing = new IndexVectors(dataSource, 1);
    while ((await indexing.execute()) > 0);
  }, 600_000);
  afterAll(() => database.close());

  const index = (bounds = BOUNDS, compared: ChunkIndex = new Blind(dataSource)) =>
    new PgvectorChunkIndex(dataSource, compared, bounds);
  const where = async (...ids: number[]): Promise<SearchedSpace> => {
    const [space] = await exact.datasources('default', ids);
    if (space === undefined) throw new Error('no datasource');
    return { tenantId: 'default', datasourceIds: ids, space };
  };
  const recall = async (of: Pick<ChunkIndex, 'nearest'>, ...ids: number[]): Promise<number> =>
    recallOf(of, exact, await where(...ids), questions, NEAREST);

  it('is at least 95 % of the ten nearest, of all datasources and of some', async () => {
    expect(await recall(index(), large, small, apart)).toBeGreaterThanOrEqual(MIN_RECALL);
    expect(await recall(index(), large)).toBeGreaterThanOrEqual(MIN_RECALL);
    expect(await recall(index(), small)).toBeGreaterThanOrEqual(MIN_RECALL);
    expect(await recall(index(), apart)).toBeGreaterThanOrEqual(MIN_RECALL);
  });

  it('is as near as it says', async () => {
    const [question = new Float32Array()] = questions;
    const said = await index().nearest(await where(large), question, NEAREST, NEVER);
    const known = new Map(
      (await exact.nearest(await where(large), question, 100, NEVER)).map(({ chunkId, similarity }) => [
        chunkId,
        similarity,
      ]),
    );
    for (const { chunkId, similarity } of said) expect(similarity).toBeCloseTo(known.get(chunkId) ?? 9, 3);
  });

  it('is found by the index, and not by comparing all', async () => {
    await dataSource.query('SELECT pg_stat_force_next_flush()');
    const before = await scans();
    await recall(index(), large);
    await dataSource.query('SELECT pg_stat_force_next_flush()');
    expect((await scans()) - before).toBe(QUESTIONS);
  });

  it('is compared where the index ends before it has enough: what is asked for lies elsewhere', async () => {
    // The smallest bound with which the index is asked at all: it expects to find enough in half of the scan.
    const all = CHUNKS.large + CHUNKS.small + CHUNKS.apart;
    const bounds = { ...BOUNDS, mostScanned: (2 * NEAREST * all) / CHUNKS.apart };
    // The questions point away from topic 0, so the index scan ends before it reaches the chunks of `apart`.
    const away = Array.from({ length: 5 }, () => topics.draw(0).map((value) => -value));
    const space = await where(apart);
    expect(await recallOf(index(bounds), exact, space, away, NEAREST)).toBeLessThan(0.5);
    expect(await recallOf(index(bounds, exact), exact, space, away, NEAREST)).toBeGreaterThan(0.5);
  });

  it('the bound is one that worse indexes fail', async () => {
    const everySecond = {
      nearest: async (...[space, vector, limit, signal]: Parameters<ChunkIndex['nearest']>) =>
        (await exact.nearest(space, vector, 2 * limit, signal)).filter((_chunk, at) => at % 2 === 0),
    };
    const oneMissing = {
      nearest: async (...[space, vector, limit, signal]: Parameters<ChunkIndex['nearest']>) =>
        (await exact.nearest(space, vector, limit + 1, signal)).slice(1),
    };
    expect(await recall(everySecond, large)).toBeLessThan(MIN_RECALL);
    expect(await recall(oneMissing, large)).toBeLessThan(MIN_RECALL);
    expect(await recall(exact, large)).toBe(1);
  });

  async function scans(): Promise<number> {
    const [row] = await dataSource.query<[{ scans: number }]>(
      `SELECT coalesce(sum(idx_scan), 0)::int AS scans FROM pg_stat_user_indexes
        WHERE relname = 'embedding_half' AND indexrelname LIKE 'embedding_half_${DIMENSIONS}_%'`,
    );
    return row.scans;
  }
});

/** Returns nothing from an exact comparison, so that every result comes from the index. */
class Blind extends ExactChunkIndex {
  constructor(dataSource: DataSource) {
    super(dataSource, { cacheBytes: 0 });
  }

  override nearest(): Promise<readonly NearChunk[]> {
    return Promise.resolve([]);
  }
}
