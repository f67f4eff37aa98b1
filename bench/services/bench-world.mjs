// @ts-check
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import getPort from 'get-port';
import pg from 'pg';
import { createLoadClient } from '../load/http-client.mjs';
import { createDatabase, dropDatabase } from './bench-database.mjs';
import { startProgram } from './bench-program.mjs';
import { programFile } from '../../scripts/build/programs.ts';
import { EXAMPLE_ENVIRONMENT } from '../../scripts/example/environment.ts';

const ENCRYPTION_KEY = `bench:${Buffer.alloc(32, 7).toString('base64')}`;
const MAX_CONNECTIONS = 256;
/** Number of Redis databases, used in turn. */
const REDIS_DATABASES = 1_024;
let nextRedisDatabase = 0;

/**
 * A database and a queue, with the programs started on them. `close` ends everything.
 * @typedef {object} BenchWorld
 * @property {string} root
 * @property {import('../bench-arguments.mjs').Backend} backend
 * @property {string} databaseUrl
 * @property {pg.Pool} database
 * @property {number} postgresPid shared by all databases
 * @property {number | null} redisPid
 * @property {boolean} isSmall long cases are to be a tenth of what they are
 * @property {import('./bench-program.mjs').BenchProgram[]} programs everything that was started here
 * @property {string | null} redisUrl
 * @property {string} modelUrl
 * @property {AbortSignal} signal
 * @property {import('../../scripts/local/run-until-stopped.ts').CommandContext} context
 * @property {(undo: () => unknown) => void} defer undone in reverse order
 * @property {(env?: Record<string, string>) => Promise<import('../load/http-client.mjs').LoadClient>} startApi
 * @property {(env?: Record<string, string>) => Promise<import('./bench-program.mjs').BenchProgram>} startWorker
 * @property {(env?: Record<string, string>) => Promise<import('../load/http-client.mjs').LoadClient>} startWhole API and
 *   worker in one process
 * @property {(program: {name: string, entry: string, env: Record<string, string>, readyPath: string}) =>
 *   Promise<{url: string, program: import('./bench-program.mjs').BenchProgram}>} startOther a program that gets its PORT
 * @property {() => Promise<BenchWorld>} openTwin another database and queue on the same services, closed with this one
 * @property {() => Promise<void>} close
 */

/**
 * @param {object} bench
 * @param {string} bench.root
 * @param {import('./bench-services.mjs').BenchServices} bench.services
 * @param {import('../bench-arguments.mjs').Backend} bench.backend
 * @param {import('../../scripts/local/run-until-stopped.ts').CommandContext} bench.context
 * @returns {Promise<BenchWorld>}
 */
export async function openWorld({ root, services, backend, context }) {
  const { signal } = context;
  const name = `bench_${randomBytes(6).toString('hex')}`;
  /** @type {(() => unknown)[]} */
  const undos = [() => dropDatabase(services.postgresUrl, name)];
  let isClosed = false;
  const close = async () => {
    if (isClosed) return;
    isClosed = true;
    for (const undo of undos.toReversed()) await undo();
  };
  context.onStop(close);
  const databaseUrl = await createDatabase(services.postgresUrl, name, services.template);
  const database = new pg.Pool({ connectionString: databaseUrl, max: 4 });
  database.on('error', () => {
    // The server closes connections when the database is dropped.
  });
  undos.push(() => database.end());
  const redisUrl =
    backend === 'redis' ? `${services.redisUrl}/${nextRedisDatabase++ % REDIS_DATABASES}` : null;

  const common = {
    PATH: process.env.PATH ?? '',
    NODE_ENV: 'production',
    AUTH_OFF_IN_PRODUCTION: 'true',
    LOG_LEVEL: 'warn',
    HOST: '127.0.0.1',
    DATABASE_URL: databaseUrl,
    PROJECT: `${EXAMPLE_ENVIRONMENT.PROJECT},${join(root, 'bench/project')}`,
    ENCRYPTION_KEY,
    OPENAI_BASE_URL: services.modelUrl,
    OPENAI_API_KEY: 'bench',
    WEBHOOK_ALLOW_LOOPBACK: 'true',
    ...(redisUrl !== null && { REDIS_URL: redisUrl }),
    ...variablesOf(process.env.BENCH_SET ?? ''),
  };
  /** @param {{name: string, entry: string, env: Record<string, string>, portName: string, readyPath: string}} service */
  const start = async ({ name: service, entry, env, portName, readyPath }) => {
    const port = await getPort({ host: '127.0.0.1' });
    const url = `http://127.0.0.1:${port}`;
    const program = await startProgram({
      root,
      name: `bench-${service}`,
      entry,
      env: { ...common, ...env, [portName]: String(port) },
      readyUrl: `${url}${readyPath}`,
      signal,
      defer: (undo) => undos.push(undo),
    });
    world.programs.push(program);
    return { url, program };
  };
  const connect = (/** @type {string} */ url) => {
    const client = createLoadClient(url, MAX_CONNECTIONS);
    undos.push(() => client.close());
    return client;
  };
  const ofService = (/** @type {Record<string, string>} */ env) => {
    const flags = services.isProfiled ? [profileFlags(root)] : [];
    return { ...env, NODE_OPTIONS: [...flags, env.NODE_OPTIONS ?? ''].join(' ') };
  };

  /** @type {BenchWorld} */
  const world = {
    root,
    backend,
    databaseUrl,
    database,
    postgresPid: services.postgresPid,
    redisPid: redisUrl === null ? null : services.redisPid,
    isSmall: services.isSmall,
    context,
    programs: [],
    redisUrl,
    modelUrl: services.modelUrl,
    signal,
    defer: (undo) => undos.push(undo),
    startApi: async (env = {}) => {
      const entry = programFile('api');
      const service = { name: 'api', entry, env: ofService(env), portName: 'PORT', readyPath: '/readyz' };
      return connect((await start(service)).url);
    },
    startWorker: async (env = {}) => {
      const entry = programFile('worker');
      const service = {
        name: 'worker',
        entry,
        env: ofService(env),
        portName: 'WORKER_PORT',
        readyPath: '/readyz',
      };
      return (await start(service)).program;
    },
    startWhole: async (env = {}) => {
      const entry = programFile('service');
      const own = ofService({ ...env, ROLE: 'all' });
      return connect(
        (await start({ name: 'service', entry, env: own, portName: 'PORT', readyPath: '/readyz' })).url,
      );
    },
    startOther: (program) => start({ ...program, portName: 'PORT' }),
    openTwin: async () => {
      const twin = await openWorld({ root, services, backend, context });
      undos.push(() => twin.close());
      return twin;
    },
    close,
  };
  return world;
}

/** @param {string} set variables of every service, one a line @returns {Record<string, string>} */
function variablesOf(set) {
  return Object.fromEntries(
    set.split('\n').flatMap((line) => (line === '' ? [] : [line.split(/=(.*)/s, 2)])),
  );
}

/** @param {string} root */
function profileFlags(root) {
  return `--cpu-prof --cpu-prof-dir=${join(root, '.local', 'bench', 'profiles')}`;
}
