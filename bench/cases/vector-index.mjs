// @ts-check
import pg from 'pg';
import {
  createDataSource,
  ExactChunkIndex,
  IndexVectors,
  PgvectorChunkIndex,
  prepareVectorIndexTable,
} from '#libs/persistence';
import { openPgvector } from '../../scripts/postgres/pgvector.ts';
import { figure } from '../measure/figure.mjs';
import { percentile } from '../measure/percentile.mjs';
import { drawOfTopics, drawVector, insertChunks, insertDatasource } from '../services/insert-chunks.mjs';

/** PGlite is PostgreSQL in WebAssembly and ten times slower, so it gets fewer and shorter vectors. */
const SIZES = { native: { chunks: 100_000, dimensions: 1_024 }, pglite: { chunks: 10_000, dimensions: 128 } };
const TOPICS = 200;
const ANY = 10_000;
const SEARCHES = 100;
const NEAREST = 10;
const NEVER = new AbortController().signal;
const CACHE_BYTES = 268_435_456;
const WORDS_OF_A_CHUNK = 5;

export const vectorIndex = {
  key: 'r',
  isOfAnyQueue: true,
  title:
    'the ten nearest of many vectors by an index of pgvector (PGVECTOR_URL, else PGlite), and all compared',
  /** @param {import('../services/bench-world.mjs').BenchWorld} world */
  run: async (world) => {
    const { dataSource, isNative } = await openVectorDatabase(world);
    const { chunks: all, dimensions } = isNative ? SIZES.native : SIZES.pglite;
    const chunks = world.isSmall ? all / 10 : all;
    const ofTopics = drawOfTopics({ topics: TOPICS, dimensions });
    const topical = await measure(dataSource, { name: 'topical', chunks, dimensions, draw: ofTopics });
    const { recall, indexed, times } = topical;
    return [
      figure('vectors', chunks),
      figure('numbers of each', dimensions),
      figure('vectors put into the index in a second', indexed, '1/s'),
      figure('of the ten nearest the index finds', recall, '', { atLeast: 0.95 }),
      figure('by the index, p50', percentile(times.approximate, 50), 'ms'),
      figure('by the index, p99', percentile(times.approximate, 99), 'ms'),
      figure('all compared, p50', percentile(times.exact, 50), 'ms'),
      figure('all compared, p99', percentile(times.exact, 99), 'ms'),
      ...(isNative ? [await worstRecall(dataSource, dimensions)] : []),
    ];
  },
};

/**
 * A migrated database with pgvector, for this case only.
 * @param {import('../services/bench-world.mjs').BenchWorld} world
 */
async function openVectorDatabase({ defer }) {
  const { url, poolSize, isNative, stop } = await openPgvector();
  defer(stop);
  const dataSource = await createDataSource({ url, poolSize }).initialize();
  defer(() => dataSource.destroy());
  await dataSource.runMigrations();
  await dataSource.query(
    `INSERT INTO tenant (id, name) VALUES ('default', 'Default') ON CONFLICT DO NOTHING`,
  );
  await dataSource.query(
    `INSERT INTO llm (tenant_id, name, provider, model) VALUES ('default', 'Any', 'openai', 'any')`,
  );
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await prepareVectorIndexTable(client);
  await client.end();
  return { dataSource, isNative };
}

/**
 * Recall for vectors of uniform direction, which texts do not have: none is much nearer than others.
 * @param {import('typeorm').DataSource} dataSource
 * @param {number} dimensions
 */
async function worstRecall(dataSource, dimensions) {
  const draw = () => drawVector(dimensions);
  const { recall } = await measure(dataSource, { name: 'any', chunks: ANY, dimensions, draw });
  return figure(`the same of ${ANY} vectors of any direction`, recall);
}

/**
 * Fills a datasource with its own model, indexes its vectors, and searches the nearest to further vectors of the same
 * distribution, by index and by exact comparison.
 * @param {import('typeorm').DataSource} dataSource
 * @param {{name: string, chunks: number, dimensions: number, draw: () => Float32Array}} given
 */
async function measure(dataSource, { name, chunks, dimensions, draw }) {
  /** @type {import('../services/insert-chunks.mjs').Database} */
  const database = { query: async (sql, values = []) => ({ rows: await dataSource.query(sql, values) }) };
  const datasourceId = await insertDatasource(database, { name, embedModel: name, dimensions });
  await insertChunks(database, { datasourceId, chunks, draw, words: WORDS_OF_A_CHUNK });
  const indexed = await index(dataSource);

  const exact = new ExactChunkIndex(dataSource, { cacheBytes: CACHE_BYTES });
  const approximate = new PgvectorChunkIndex(dataSource, exact);
  const [space] = await exact.datasources('default', [datasourceId]);
  if (space === undefined) throw new Error('no datasource');
  const where = { tenantId: 'default', datasourceIds: [datasourceId], space };
  /** @type {{exact: number[], approximate: number[]}} */
  const times = { exact: [], approximate: [] };
  let found = 0;
  for (let count = 0; count < SEARCHES; count += 1) {
    const question = draw();
    const search = async (/** @type {'exact' | 'approximate'} */ by) => {
      const begun = performance.now();
      const near = await (by === 'exact' ? exact : approximate).nearest(where, question, NEAREST, NEVER);
      times[by].push(performance.now() - begun);
      return near.map(({ chunkId }) => chunkId);
    };
    const [exactly, about] = [await search('exact'), await search('approximate')];
    found += exactly.filter((id) => about.includes(id)).length;
  }
  return { indexed, times, recall: found / (NEAREST * SEARCHES) };
}

/** Number of vectors indexed per second. @param {import('typeorm').DataSource} dataSource */
async function index(dataSource) {
  const indexing = new IndexVectors(dataSource, 1);
  const begun = performance.now();
  let indexed = 0;
  for (let added = await indexing.execute(); added > 0; added = await indexing.execute()) indexed += added;
  return indexed / ((performance.now() - begun) / 1_000);
}
