// @ts-check
import { fixedRate } from '../load/fixed-rate.mjs';
import { figure } from '../measure/figure.mjs';
import { percentile } from '../measure/percentile.mjs';
import { makeAgent } from '../services/make-agent.mjs';
import { insertBacklog } from '../services/insert-backlog.mjs';
import { waitUntil } from '../services/wait-until.mjs';

const BACKLOG = 50_000;
const SMALL = 1_000;
const TENANTS = 5;
const PER_SECOND = 50;
const SUBMITS = 240;
/** Executions before the measurement, and executions measured. */
const WARM_UP = 200;
const MEASURED = 600;

export const backlog = {
  key: 'f',
  title: `a backlog of ${BACKLOG} executions, against none`,
  /** @param {import('../services/bench-world.mjs').BenchWorld} world */
  run: async (world) => {
    const twin = await world.openTwin();
    const empty = await measure(twin, 0, SMALL);
    const full = await measure(world, BACKLOG, 0);
    return [
      figure('submit p50, no backlog', empty.submitP50, 'ms'),
      figure('submit p50, backlog', full.submitP50, 'ms'),
      figure('submit p50, backlog / none', full.submitP50 / empty.submitP50),
      figure('submit p99, backlog / none', full.submitP99 / empty.submitP99),
      figure('rate, no backlog', empty.rate, 'executions/s'),
      figure('rate, backlog', full.rate, 'executions/s'),
      figure('rate, backlog / none', full.rate / empty.rate),
    ];
  },
};

/**
 * Measures submits while no worker runs, then the rate at which a worker processes the backlog.
 * @param {import('../services/bench-world.mjs').BenchWorld} world
 * @param {number} before executions that wait while submits are measured
 * @param {number} after executions that are added for the rate
 */
async function measure(world, before, after) {
  const api = await world.startApi();
  const { executePath } = await makeAgent(api, 'sim-echo');
  await insertBacklog(world.database, { count: before, tenants: TENANTS });
  const submit = (/** @type {number} */ count) =>
    fixedRate({ perSecond: PER_SECOND, count, request: () => api.post(executePath, { input: 'Hello' }) });
  await submit(SUBMITS / 3);
  const { times } = await submit(SUBMITS);
  await insertBacklog(world.database, { count: after, tenants: TENANTS });

  await world.startWorker();
  const completed = async (/** @type {number} */ count) => {
    const sql = `SELECT count(*)::int AS count FROM execution WHERE status = 'completed'`;
    const isSo = async () => (await world.database.query(sql)).rows[0].count >= count;
    await waitUntil(isSo, { what: `${count} completed`, signal: world.signal, everyMs: 50 });
  };
  await completed(WARM_UP);
  const begun = performance.now();
  await completed(WARM_UP + MEASURED);
  const rate = (MEASURED / (performance.now() - begun)) * 1_000;
  return { submitP50: percentile(times, 50), submitP99: percentile(times, 99), rate };
}
