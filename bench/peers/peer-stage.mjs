// @ts-check
import { randomBytes } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import getPort from 'get-port';
import { startService, waitUntilReady } from '../../scripts/local/service-process.ts';
import { createDatabase, dropDatabase } from '../services/bench-database.mjs';

const STOP_GRACE_MS = 5_000;
/** The cases of the bench use the databases below. */
const FIRST_REDIS_DATABASE = 512;
let redisDatabases = 0;

/**
 * Environment of one system. `close` ends everything that it started.
 * @typedef {object} PeerStage
 * @property {string} root of Capstan
 * @property {import('../services/bench-services.mjs').BenchServices} services
 * @property {import('../../scripts/local/run-until-stopped.ts').CommandContext} context
 * @property {number} concurrency of each worker
 * @property {string} modelServer model and tool of `programs/fake-model.mjs`
 * @property {(key: string) => string} folderOf where the packages of a system are
 * @property {() => string} takeFolder an empty one
 * @property {() => string} takeRedis the URL of an empty database
 * @property {() => Promise<string>} createDatabase the URL of an empty one
 * @property {(program: PeerProgram) => Promise<{url: string, pid: number}>} start
 * @property {(undo: () => unknown) => void} defer undone in reverse order
 * @property {() => Promise<void>} close
 */

/**
 * @typedef {object} PeerProgram
 * @property {string} name
 * @property {string} entry of `bench/peers/programs`, or a whole path
 * @property {string} [root] the working directory; the folder of the system's packages when left out
 * @property {Record<string, string>} [env] beside PORT, MODEL_URL, TOOL_URL and CONCURRENCY
 * @property {string[]} [args]
 * @property {string} [readyUrl] its own `/readyz` when left out
 * @property {boolean} [isSilent] it cannot be asked whether it is ready
 */

/**
 * @param {object} bench
 * @param {string} bench.root
 * @param {import('../services/bench-services.mjs').BenchServices} bench.services
 * @param {import('../../scripts/local/run-until-stopped.ts').CommandContext} bench.context
 * @param {string} bench.key of the system
 * @param {string} bench.packages the folder of all packages
 * @param {string} bench.modelServer
 * @param {number} bench.concurrency
 * @returns {PeerStage}
 */
export function openStage({ root, services, context, key, packages, modelServer, concurrency }) {
  /** @type {(() => unknown)[]} */
  const undos = [];
  let isClosed = false;
  const close = async () => {
    if (isClosed) return;
    isClosed = true;
    for (const undo of undos.toReversed()) await undo();
  };
  context.onStop(close);
  const folderOf = (/** @type {string} */ system) => join(packages, system);
  const common = {
    PATH: process.env.PATH ?? '',
    NODE_ENV: 'production',
    MODEL_URL: `${modelServer}/v1`,
    TOOL_URL: `${modelServer}/tool`,
    CONCURRENCY: String(concurrency),
  };
  return {
    root,
    services,
    context,
    concurrency,
    modelServer,
    folderOf,
    takeFolder: () => mkdtempSync(join(packages, 'data-')),
    takeRedis: () => `${services.redisUrl}/${FIRST_REDIS_DATABASE + redisDatabases++}`,
    createDatabase: async () => {
      const name = `peer_${randomBytes(6).toString('hex')}`;
      undos.push(() => dropDatabase(services.postgresUrl, name));
      return createDatabase(services.postgresUrl, name, 'template1');
    },
    start: async (program) => {
      const { name, entry, env = {}, args = [], readyUrl, isSilent = false } = program;
      const port = await getPort({ host: '127.0.0.1' });
      const url = `http://127.0.0.1:${port}`;
      const service = startService({
        name: `peer-${name}`,
        logs: join(root, '.local', 'logs'),
        entry,
        root: program.root ?? folderOf(key),
        env: { ...common, ...env, PORT: String(port) },
        args,
        // Plain Node, without the flags of Capstan's processes.
        nodeFlags: [],
      });
      undos.push(() => service.stop(STOP_GRACE_MS));
      if (!isSilent)
        await waitUntilReady({ url: readyUrl ?? `${url}/readyz`, service, signal: context.signal });
      return { url, pid: service.identity?.pid ?? 0 };
    },
    defer: (undo) => undos.push(undo),
    close,
  };
}
