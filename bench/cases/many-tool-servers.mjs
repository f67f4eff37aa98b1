// @ts-check
import { readdirSync } from 'node:fs';
import { figure } from '../measure/figure.mjs';
import { percentile } from '../measure/percentile.mjs';
import { insertRound, insertToolServers, privateHosts } from '../services/many-tool-servers.mjs';
import { SERVERS } from '../services/model-scripts.mjs';
import { startProbedWorker } from '../services/probed-worker.mjs';
import { waitUntil } from '../services/wait-until.mjs';

const TENANTS = 200;
const ROUNDS = 8;
/** Warm-up runs, which fill connections, compiled code and heap pages. */
const WARM_UP = 4;
const LOOK_EVERY_MS = 100;

export const manyToolServers = {
  key: 'o',
  isOfAnyQueue: true,
  title: `${TENANTS} tenants with ${SERVERS.length} tool servers each, on one worker`,
  /** @param {import('../services/bench-world.mjs').BenchWorld} world */
  run: async (world) => {
    const tenants = world.isSmall ? TENANTS / 10 : TENANTS;
    const { url } = await world.startOther({
      ...{ name: 'tool-servers', entry: 'bench/programs/tool-servers.mjs', env: {}, readyPath: '/counts' },
    });
    await insertToolServers(world.database, tenants, Number(new URL(url).port));
    const worker = await startProbedWorker(world, {
      ...{ PRIVATE_TOOL_HOSTS: privateHosts(tenants), TITLES: 'input', WORKER_CONCURRENCY: '50' },
      ...{ TENANT_IN_FLIGHT_CAP: '1000', DISPATCH_QUEUE_TARGET: '1000', DISPATCH_INTERVAL_MS: '100' },
    });
    const pid = world.programs.at(-1)?.pid ?? 0;
    /** @returns {Promise<import('../services/many-tool-servers.mjs').ServerCounts>} */
    const countServed = async () => /** @type {any} */ (await (await fetch(`${url}/counts`)).json());
    const ended = watchEnded(world);
    const idleFiles = countFiles(pid);

    let mostFiles = 0;
    const watch = setInterval(() => (mostFiles = Math.max(mostFiles, countFiles(pid))), LOOK_EVERY_MS);
    world.defer(() => clearInterval(watch));
    /** @type {{heapUsed: number, rss: number, external: number}[]} */
    const looks = [];
    let spentMs = 0;
    for (let round = 1; round <= ROUNDS; round += 1) {
      const begun = performance.now();
      await insertRound(world.database);
      await ended(round * tenants);
      if (round > WARM_UP) spentMs += performance.now() - begun;
      looks.push(await worker.look());
    }
    clearInterval(watch);
    // A run closes its server sessions after its result is written.
    const areEnded = async () => (await countServed()).sessions === 0;
    await waitUntil(areEnded, { what: 'every session to be ended', signal: world.signal, limitMs: 20_000 });
    const served = await countServed();
    const calls = (ROUNDS - WARM_UP) * tenants * SERVERS.length;
    const times = await readTimes(world, tenants * SERVERS.length * WARM_UP);
    const [warm, last] = [looks[WARM_UP - 1], looks.at(-1)];
    if (warm === undefined || last === undefined) throw new Error('there were too few rounds');
    const perExecution = (last.heapUsed - warm.heapUsed) / ((ROUNDS - WARM_UP) * tenants) / 1_000;
    return [
      figure('tool calls per second', (calls / spentMs) * 1_000, '/s'),
      figure('time of a call, p50', percentile(times, 50), 'ms'),
      figure('time of a call, p99', percentile(times, 99), 'ms'),
      figure('resident memory of the worker, after garbage collection', last.rss / 1e6, 'MB'),
      figure(`heap after ${WARM_UP} rounds`, warm.heapUsed / 1e6, 'MB'),
      figure(`heap after ${ROUNDS} rounds`, last.heapUsed / 1e6, 'MB'),
      figure('heap that an execution left behind', perExecution, 'kB', { atMost: 2 }),
      figure('open files of the worker with nothing to do', idleFiles),
      figure('open files of the worker, at most', mostFiles),
      figure('connections to the servers, at most', served.mostConnections),
      figure('sessions at the servers, at most', served.mostSessions),
      figure('sessions that were begun, and ended', served.begun),
    ];
  },
};

/**
 * @param {import('../services/bench-world.mjs').BenchWorld} world
 * @returns {(count: number) => Promise<void>} resolves when so many have completed; throws when one has failed
 */
function watchEnded({ database, signal }) {
  return async (count) => {
    const sql = `SELECT count(*) FILTER (WHERE status = 'completed')::int AS completed,
                        min(error::text) FILTER (WHERE status <> 'completed') AS error
                   FROM execution WHERE finished_at IS NOT NULL`;
    const isSo = async () => {
      const { completed, error } = (await database.query(sql)).rows[0];
      if (error !== null) throw new Error(`an execution failed: ${error}`);
      return completed >= count;
    };
    await waitUntil(isSo, { what: `${count} completed`, signal, everyMs: LOOK_EVERY_MS });
  };
}

/**
 * How long each call took, in milliseconds, but for the first ones; every one of them has to have succeeded.
 * @param {import('../services/bench-world.mjs').BenchWorld} world @param {number} first
 * @returns {Promise<number[]>}
 */
async function readTimes({ database }, first) {
  const { rows } = await database.query(
    `SELECT status, extract(epoch FROM finished_at - started_at)::float8 * 1000 AS ms FROM run_step
      ORDER BY started_at OFFSET $1`,
    [first],
  );
  const failed = rows.filter(({ status }) => status !== 'succeeded').length;
  if (failed > 0) throw new Error(`${failed} of ${rows.length} calls have not succeeded`);
  return rows.map(({ ms }) => ms);
}

/** NaN where the system does not say. @param {number} pid */
function countFiles(pid) {
  try {
    return readdirSync(`/proc/${pid}/fd`).length;
  } catch {
    return Number.NaN;
  }
}
