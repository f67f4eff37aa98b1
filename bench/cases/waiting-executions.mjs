// @ts-check
import { setTimeout as delay } from 'node:timers/promises';
import { closedLoop } from '../load/closed-loop.mjs';
import { figure } from '../measure/figure.mjs';
import { makeAgent } from '../services/make-agent.mjs';
import { SLOW } from '../services/model-scripts.mjs';
import { startProbedWorker } from '../services/probed-worker.mjs';
import { waitUntil } from '../services/wait-until.mjs';

const WAITING = 2_000;
/** Executions started together; more would overflow the simulator's accept queue. */
const WAVE = 200;
const WARM_UP = 200;
const WATCHED_MS = 10_000;

export const waitingExecutions = {
  key: 'd',
  isOfAnyQueue: true,
  title: `${WAITING} executions of one worker that wait for a slow model`,
  /** @param {import('../services/bench-world.mjs').BenchWorld} world */
  run: async (world) => {
    const room = { TENANT_IN_FLIGHT_CAP: '10000', DISPATCH_QUEUE_TARGET: '10000' };
    const api = await world.startApi(room);
    const { look, countSockets } = await startProbedWorker(world, {
      ...room,
      WORKER_CONCURRENCY: '10000',
      SHUTDOWN_GRACE_SECONDS: '1',
    });
    const submit = (/** @type {string} */ path, /** @type {number} */ count, /** @type {string} */ input) =>
      closedLoop({ count, clients: 16, request: () => api.post(path, { input }) });
    const inStatus = async (/** @type {string} */ status, /** @type {number} */ count) => {
      const sql = 'SELECT count(*)::int AS count FROM execution WHERE status = $1';
      const isSo = async () => (await world.database.query(sql, [status])).rows[0].count === count;
      await waitUntil(isSo, { what: `${count} ${status}`, signal: world.signal, everyMs: 100 });
    };

    const quick = await makeAgent(api, 'sim-echo');
    await submit(quick.executePath, WARM_UP, 'warm up');
    await inStatus('completed', WARM_UP);
    const empty = await look();
    const idleCpu = await cpuShare(look);
    const slow = await makeAgent(api, 'sim-script');
    for (let begun = WAVE; begun <= WAITING; begun += WAVE) {
      await submit(slow.executePath, WAVE, SLOW);
      const isAsking = async () => (await countSockets()) >= begun;
      await waitUntil(isAsking, { what: `${begun} model calls`, signal: world.signal, everyMs: 100 });
    }
    await inStatus('running', WAITING);
    // Time until the answers have started, too.
    await delay(2_000);
    const full = await look();
    const each = (/** @type {'rss' | 'heapUsed' | 'external'} */ kind) =>
      (full[kind] - empty[kind]) / WAITING / 1_000;
    return [
      figure('resident memory per execution', each('rss'), 'kB', { atMost: 70 }),
      figure('JavaScript heap per execution', each('heapUsed'), 'kB'),
      figure('buffers outside the heap per execution', each('external'), 'kB'),
      figure('CPU while they wait', await cpuShare(look), '% of a core'),
      figure('CPU with nothing to do', idleCpu, '% of a core'),
    ];
  },
};

/** @param {() => Promise<import('../services/probed-worker.mjs').ProcessState>} look */
async function cpuShare(look) {
  const before = await look();
  const begun = performance.now();
  await delay(WATCHED_MS);
  const watchedMs = performance.now() - begun;
  // The reading itself collects garbage; a second reading measures that cost, which is subtracted.
  const after = await look();
  const again = await look();
  const cpuMs = after.cpuMs - before.cpuMs - (again.cpuMs - after.cpuMs);
  return (Math.max(0, cpuMs) / watchedMs) * 100;
}
