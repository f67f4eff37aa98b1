// @ts-check
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { programFile } from '../../scripts/build/programs.ts';
import { EXAMPLE_ENVIRONMENT } from '../../scripts/example/environment.ts';
import { closedLoop } from '../load/closed-loop.mjs';
import { figure } from '../measure/figure.mjs';
import { watchMemory } from '../measure/peak-memory.mjs';
import { percentile } from '../measure/percentile.mjs';
import { openHostileTenant } from '../services/hostile-tenant.mjs';
import { loopProbe } from '../services/loop-probe.mjs';

const ROUNDS = 40;
/** Concurrent rounds of the hostile tenant. */
const AT_ONCE = 2;
/** Executions and reads of the other tenant before the hostile tenant starts. */
const QUIET = 40;
const MAX_HELD_UP_MS = 250;
const MAX_P95_MS = 2_000;

export const hostileNeighbour = {
  key: 'u',
  isOfAnyQueue: true,
  title: `a tenant with hostile schemas, descriptions, documents and arguments, beside one that works`,
  /** @param {import('../services/bench-world.mjs').BenchWorld} world */
  run: async (world) => {
    const folder = await mkdtemp(join(tmpdir(), 'bench-hostile-'));
    world.defer(() => rm(folder, { recursive: true, force: true }));
    const { url: services } = await world.startOther({
      ...{
        name: 'hostile-services',
        entry: 'bench/programs/hostile-services.mjs',
        env: {},
        readyPath: '/readyz',
      },
    });
    const hosts = 'hostile:127.0.0.1:*';
    const env = {
      ...{
        AUTH: 'api-key',
        DOCUMENTS_ROOT: folder,
        PRIVATE_TOOL_HOSTS: hosts,
        MODEL_ALLOW_PRIVATE_HOSTS: 'true',
      },
      ...{ TITLES: 'input', EMBEDDING_CALLS_PER_MINUTE: '0' },
    };
    const probes = { api: await loopProbe(), worker: await loopProbe() };
    const client = await world.startApi({ ...env, ...probes.api.env });
    const apiPid = world.programs.at(-1)?.pid ?? 0;
    const { pid: workerPid } = await world.startWorker({ ...env, ...probes.worker.env });
    const neighbour = await openNeighbour(world, client);
    const key = await makeKey(world, 'hostile');
    const datasourceId = await makeDatasource(client, `Bearer ${key}`);
    const hostile = openHostileTenant({ api: client.url, key, services, datasourceId });

    await neighbour.work(5);
    const quiet = await neighbour.work(QUIET);
    const before = { api: await probes.api.reset(), worker: await probes.worker.reset() };
    let isOver = false;
    const attacks = async () => {
      const count = world.isSmall ? ROUNDS / 10 : ROUNDS;
      const request = async (/** @type {number} */ index) => {
        world.signal.throwIfAborted();
        await hostile.attack(index + 1);
      };
      await closedLoop({ count, clients: AT_ONCE, request });
      isOver = true;
    };
    const peaks = { api: 0, worker: 0 };
    const beside = async () => {
      const all = { executions: /** @type {number[]} */ ([]), reads: /** @type {number[]} */ ([]) };
      while (!isOver) {
        const { executions, reads } = await neighbour.work(5);
        all.executions.push(...executions);
        all.reads.push(...reads);
      }
      return all;
    };
    const ofApi = await watchMemory(
      () => [apiPid],
      async () => {
        const ofWorker = await watchMemory(
          () => [workerPid],
          () => Promise.all([beside(), attacks()]),
        );
        peaks.worker = ofWorker.bytes;
        return ofWorker.result[0];
      },
    );
    peaks.api = ofApi.bytes;
    const held = { api: await probes.api.reset(), worker: await probes.worker.reset() };
    const loud = ofApi.result;
    console.log(JSON.stringify(hostile.statuses));
    return [
      figure('event loop of the API: longest work without a break', held.api.mostCpuMs, 'ms', {
        atMost: MAX_HELD_UP_MS,
      }),
      figure('event loop of the worker: longest work without a break', held.worker.mostCpuMs, 'ms', {
        atMost: MAX_HELD_UP_MS,
      }),
      figure('event loop of the API: longest delay', held.api.mostDelayMs, 'ms'),
      figure('event loop of the worker: longest delay', held.worker.mostDelayMs, 'ms'),
      figure('event loop of the API: longest delay before', before.api.mostDelayMs, 'ms'),
      figure('event loop of the worker: longest delay before', before.worker.mostDelayMs, 'ms'),
      figure('resident memory of the API, at most', peaks.api / 1e6, 'MB'),
      figure('resident memory of the worker, at most', peaks.worker / 1e6, 'MB'),
      figure('execution of the neighbour, p50, alone', percentile(quiet.executions, 50), 'ms'),
      figure('execution of the neighbour, p95, alone', percentile(quiet.executions, 95), 'ms'),
      figure('execution of the neighbour, p50', percentile(loud.executions, 50), 'ms'),
      figure('execution of the neighbour, p95', percentile(loud.executions, 95), 'ms', {
        atMost: MAX_P95_MS,
      }),
      figure('read of the neighbour, p50', percentile(loud.reads, 50), 'ms'),
      figure('read of the neighbour, p95', percentile(loud.reads, 95), 'ms', { atMost: MAX_P95_MS }),
      figure('executions of the neighbour', loud.executions.length),
    ];
  },
};

/**
 * Creates a key with every scope.
 * @param {import('../services/bench-world.mjs').BenchWorld} world
 * @param {string} tenant
 */
async function makeKey(world, tenant) {
  const args = [programFile('migrate'), '--create-api-key', 'bench', '--tenant', tenant, '--scopes', 'all'];
  const env = {
    PATH: process.env.PATH ?? '',
    DATABASE_URL: world.databaseUrl,
    ...EXAMPLE_ENVIRONMENT,
  };
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: world.root, env });
  const key = /csk_\S+/u.exec(stdout)?.[0];
  if (key === undefined) throw new Error(`no key was made: ${stdout}`);
  return key;
}

/**
 * Creates a datasource and returns its id.
 * @param {import('../load/http-client.mjs').LoadClient} client
 * @param {string} authorization
 * @returns {Promise<number>}
 */
async function makeDatasource(client, authorization) {
  const llm = await client.post('/api/llms/', { name: 'vectors', model: 'sim-embedding' }, { authorization });
  const fields = { name: 'hostile', llm_id: llm.id, embed_model: 'sim-embedding', dimensions: 64 };
  return (await client.post('/api/datasources/', fields, { authorization })).id;
}

/**
 * The working tenant: consecutive executions, with a read after each.
 * @param {import('../services/bench-world.mjs').BenchWorld} world
 * @param {import('../load/http-client.mjs').LoadClient} client
 */
async function openNeighbour(world, client) {
  const authorization = `Bearer ${await makeKey(world, 'neighbour')}`;
  const llm = await client.post('/api/llms/', { name: 'echo', model: 'sim-echo' }, { authorization });
  const agent = await client.post(
    '/api/agents/',
    { name: 'echo', usecase_type: 'BASIC_CHAT', llm: llm.id },
    { authorization },
  );
  const timed = async (/** @type {() => Promise<unknown>} */ request) => {
    const begun = performance.now();
    await request();
    return performance.now() - begun;
  };
  const read = async (/** @type {string} */ path) => {
    const answer = await fetch(`${client.url}${path}`, { headers: { authorization } });
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}`);
    await answer.arrayBuffer();
  };
  return {
    work: async (/** @type {number} */ count) => {
      /** @type {number[]} */
      const executions = [];
      /** @type {number[]} */
      const reads = [];
      for (let at = 0; at < count; at += 1) {
        const headers = { authorization, prefer: 'wait=60' };
        executions.push(
          await timed(() => client.post(`/api/agents/${agent.id}/execute/`, { input: 'Hello.' }, headers)),
        );
        reads.push(await timed(() => read('/api/executions/?limit=20')));
      }
      return { executions, reads };
    },
  };
}
