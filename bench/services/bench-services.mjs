// @ts-check
import { join } from 'node:path';
import getPort from 'get-port';
import { databaseUrl } from '../../scripts/postgres/administer.ts';
import { startEmbeddedPostgres, stopEmbeddedPostgres } from '../../scripts/postgres/server.ts';
import { programFile } from '../../scripts/build/programs.ts';
import { EXAMPLE_ENVIRONMENT } from '../../scripts/example/environment.ts';
import { migrate } from '../../scripts/local/migrate-program.ts';
import {
  isRedisInstalled,
  startRedisServer,
  stopRedisServer,
} from '../../test/support/services/redis-server.ts';
import {
  abandonedRunFolders,
  createRunFolder,
  removeRunFolder,
} from '../../test/support/services/run-folder.ts';
import { say, style } from '../../scripts/local/terminal.ts';
import { readRedisServer } from '../measure/redis-counters.mjs';
import { startProgram } from './bench-program.mjs';
import { createDatabase } from './bench-database.mjs';
import { SCRIPTS } from './model-scripts.mjs';

/** Template database that each case clones. */
const TEMPLATE = 'bench_template';

/**
 * Services shared by all cases.
 * @typedef {object} BenchServices
 * @property {string} postgresUrl of the maintenance database
 * @property {number} postgresPid
 * @property {string} template a database at the newest schema
 * @property {string | null} redisUrl without a database's number; null where redis-server is not installed
 * @property {number | null} redisPid
 * @property {string} modelUrl the simulator's API
 * @property {boolean} isProfiled
 * @property {boolean} isSmall
 */

/**
 * Starts empty PostgreSQL and Redis servers, and the simulator. PostgreSQL keeps fsync on, so that the measurement matches
 * real operation.
 * @param {object} bench
 * @param {string} bench.root
 * @param {import('../../scripts/local/run-until-stopped.ts').CommandContext} bench.context
 * @param {{isProfiled: boolean, isSmall: boolean}} bench.options
 * @returns {Promise<BenchServices>}
 */
export async function startBenchServices({ root, context, options }) {
  for (const abandoned of abandonedRunFolders()) await stopServers(abandoned);
  const folder = createRunFolder();
  context.onStop(() => stopServers(folder));
  const [postgres, redisUrl, modelUrl] = await Promise.all([
    startEmbeddedPostgres({
      home: join(folder, 'postgres'),
      preferredPort: await getPort({ host: '127.0.0.1' }),
      settings: {
        max_connections: 300,
        // A checkpoint during a case would distort its figures.
        checkpoint_timeout: '1h',
        max_wal_size: '8GB',
        shared_preload_libraries: 'pg_stat_statements',
        'pg_stat_statements.max': 2_000,
        'pg_stat_statements.track_planning': 'on',
      },
    }),
    isRedisInstalled() ? startRedisServer(folder) : null,
    startSimulator({ root, context }),
  ]);
  await createDatabase(postgres.url, TEMPLATE, 'template1');
  const env = { PATH: process.env.PATH ?? '', DATABASE_URL: databaseUrl(postgres.url, TEMPLATE) };
  await migrate({
    root,
    file: programFile('migrate'),
    logs: join(root, '.local', 'logs'),
    env: { ...env, DEFAULT_MODEL: 'sim-echo', ...EXAMPLE_ENVIRONMENT },
    context,
  });
  say(
    style.dim(`PostgreSQL on port ${postgres.port}, ${redisUrl ?? 'no Redis'}, simulator on ${modelUrl}\n`),
  );
  const { isProfiled, isSmall } = options;
  return {
    postgresUrl: postgres.url,
    postgresPid: postgres.pid,
    template: TEMPLATE,
    redisUrl,
    redisPid: redisUrl === null ? null : (await readRedisServer(redisUrl)).pid,
    modelUrl,
    isProfiled,
    isSmall,
  };
}

/** @param {string} folder */
async function stopServers(folder) {
  await Promise.all([stopEmbeddedPostgres(join(folder, 'postgres')), stopRedisServer(folder)]);
  removeRunFolder(folder);
}

/**
 * @param {object} bench
 * @param {string} bench.root
 * @param {import('../../scripts/local/run-until-stopped.ts').CommandContext} bench.context
 * @returns {Promise<string>}
 */
async function startSimulator({ root, context }) {
  const port = await getPort({ host: '127.0.0.1' });
  const url = `http://127.0.0.1:${port}`;
  await startProgram({
    root,
    name: 'bench-simulator',
    entry: programFile('simulator'),
    env: { PATH: process.env.PATH ?? '', NODE_ENV: 'production', SIMULATOR_PORT: String(port) },
    readyUrl: `${url}/__control/health`,
    signal: context.signal,
    defer: context.onStop,
  });
  for (const script of SCRIPTS) {
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(`${url}/__control/scripts`, {
      method: 'POST',
      headers,
      body: JSON.stringify(script),
    });
    if (!answer.ok) throw new Error(`the simulator refused a script: ${await answer.text()}`);
  }
  return `${url}/v1`;
}
