// @ts-check
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { figure } from '../measure/figure.mjs';
import { percentile } from '../measure/percentile.mjs';
import { drawText, drawVector, insertChunks, insertDatasource } from '../services/insert-chunks.mjs';
import { waitUntil } from '../services/wait-until.mjs';

const MODEL = 'sim-embedding';
const DIMENSIONS = 1_024;
const DOCUMENTS = 40;
const WORDS_OF_A_DOCUMENT = 12_000;
const CHUNKS = 100_000;
const SEARCHES = 60;
const WORDS_OF_A_QUESTION = 8;
const MAX_MS = 600_000;

export const documentSearch = {
  key: 'q',
  isOfAnyQueue: true,
  title: 'documents taken in, and searches among 100 000 chunks of 1 024 numbers, all compared',
  /** @param {import('../services/bench-world.mjs').BenchWorld} world */
  run: async (world) => {
    const { database, isSmall } = world;
    const folder = await mkdtemp(join(tmpdir(), 'bench-documents-'));
    world.defer(() => rm(folder, { recursive: true }));
    const env = { DOCUMENTS_ROOT: folder, EMBEDDING_CALLS_PER_MINUTE: '0' };
    const api = await world.startApi(env);
    await api.post('/api/llms/', { name: 'bench', model: MODEL });
    await world.startWorker(env);
    const chunksPerSecond = await takeIn(world, api, isSmall ? DOCUMENTS / 10 : DOCUMENTS);

    const datasourceId = await insertDatasource(database, {
      ...{ name: 'many', embedModel: MODEL, dimensions: DIMENSIONS },
    });
    const chunks = isSmall ? CHUNKS / 10 : CHUNKS;
    await insertChunks(database, { datasourceId, chunks, draw: () => drawVector(DIMENSIONS) });
    const search = async () => {
      const question = drawText(WORDS_OF_A_QUESTION);
      const answer = await api.post(`/api/datasources/${datasourceId}/search/`, { question, top_k: 10 });
      if (answer.hits.length !== 10) throw new Error(`a search found ${answer.hits.length} chunks`);
      return answer.duration_ms;
    };
    const first = await search();
    const times = [];
    for (let count = 0; count < SEARCHES; count += 1) times.push(await search());
    return [
      figure('chunks taken in a second', chunksPerSecond, '1/s'),
      figure('chunks that are searched', chunks),
      figure('the first search, which reads all vectors', first, 'ms'),
      figure('a search, p50', percentile(times, 50), 'ms', { atMost: 300 }),
      figure('a search, p99', percentile(times, 99), 'ms'),
    ];
  },
};

/**
 * Time from the first submitted document to the last one that is ready.
 * @param {import('../services/bench-world.mjs').BenchWorld} world
 * @param {import('../load/http-client.mjs').LoadClient} api
 * @param {number} documents
 */
async function takeIn({ database, signal }, api, documents) {
  const datasource_id = await insertDatasource(database, {
    ...{ name: 'taken in', embedModel: MODEL, dimensions: DIMENSIONS },
  });
  const begun = performance.now();
  for (let count = 0; count < documents; count += 1)
    await api.post('/api/documents/', { datasource_id, text: drawText(WORDS_OF_A_DOCUMENT) });
  const isReady = async () => {
    const { rows } = await database.query(
      `SELECT count(*) FILTER (WHERE state = 'failed')::int AS failed, count(*) FILTER (WHERE state <> 'ready')::int AS open
         FROM document_ingestion`,
    );
    if (rows[0].failed > 0) throw new Error(`${rows[0].failed} documents have failed`);
    return rows[0].open === 0;
  };
  await waitUntil(isReady, { what: 'all documents are ready', signal, limitMs: MAX_MS });
  const seconds = (performance.now() - begun) / 1_000;
  const { rows } = await database.query('SELECT count(*)::int AS count FROM chunk');
  return rows[0].count / seconds;
}
