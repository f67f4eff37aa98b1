// @ts-check
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import pg from 'pg';
import {
  createDataSource,
  ExactChunkIndex,
  IndexVectors,
  PgvectorChunkIndex,
  prepareVectorIndexTable,
} from '#libs/persistence';
import { figure } from '../measure/figure.mjs';
import { percentile } from '../measure/percentile.mjs';
import { drawVector, insertChunks, insertDatasource } from '../services/insert-chunks.mjs';

const CHUNKS = 100_000;
/** Fewer than models make: PGlite is PostgreSQL in WebAssembly, and ten times as slow at this. */
const DIMENSIONS = 128;
const SEARCHES = 100;
const NEAREST = 10;
const NEVER = new AbortController().signal;
const CACHE_BYTES = 268_435_456;

export const vectorIndex = {
  key: 'r',
  isOfAnyQueue: true,
  title: `the ten nearest of 100 000 vectors of ${DIMENSIONS} numbers, by an index of pgvector (PGlite) and all compared`,
  /** @param {import('../services/bench-world.mjs').BenchWorld} world */
  run: async (world) => {
    const dataSource = await openPglite(world);
    /** @type {import('../services/insert-chunks.mjs').Database} */
    const database = { query: async (sql, values = []) => ({ rows: await dataSource.query(sql, values) }) };
    const datasourceId = await insertDatasource(database, {
      ...{ name: 'many', embedModel: 'any', dimensions: DIMENSIONS },
    });
    const chunks = world.isSmall ? CHUNKS / 10 : CHUNKS;
    await insertChunks(database, { datasourceId, chunks, dimensions: DIMENSIONS });
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
      const question = drawVector(DIMENSIONS);
      const search = async (/** @type {'exact' | 'approximate'} */ by) => {
        const begun = performance.now();
        const near = await (by === 'exact' ? exact : approximate).nearest(where, question, NEAREST, NEVER);
        times[by].push(performance.now() - begun);
        return near.map(({ chunkId }) => chunkId);
      };
      const [exactly, about] = [await search('exact'), await search('approximate')];
      found += exactly.filter((id) => about.includes(id)).length;
    }
    return [
      figure('vectors', chunks),
      figure('vectors put into the index in a second', indexed, '1/s'),
      figure('of the ten nearest the index finds', found / (NEAREST * SEARCHES), '', { atLeast: 0.95 }),
      figure('by the index, p50', percentile(times.approximate, 50), 'ms'),
      figure('by the index, p99', percentile(times.approximate, 99), 'ms'),
      figure('all compared, p50', percentile(times.exact, 50), 'ms'),
      figure('all compared, p99', percentile(times.exact, 99), 'ms'),
    ];
  },
};

/**
 * A migrated database with pgvector, for this case alone.
 * @param {import('../services/bench-world.mjs').BenchWorld} world
 */
async function openPglite({ root, defer }) {
  const program = join(root, 'scripts/postgres/pglite-program.mjs');
  const child = spawn(process.execPath, [program], { stdio: ['pipe', 'pipe', 'inherit'] });
  defer(() => child.stdin.end());
  const [url] = await once(createInterface(child.stdout), 'line');
  const dataSource = await createDataSource({ url, poolSize: 1 }).initialize();
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
  return dataSource;
}

/** Answers how many vectors went in in a second. @param {import('typeorm').DataSource} dataSource */
async function index(dataSource) {
  const indexing = new IndexVectors(dataSource, 1);
  const begun = performance.now();
  let indexed = 0;
  for (let added = await indexing.execute(); added > 0; added = await indexing.execute()) indexed += added;
  return indexed / ((performance.now() - begun) / 1_000);
}
