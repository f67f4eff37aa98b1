// @ts-check
import { fixedRate } from '../load/fixed-rate.mjs';
import { createLoadClient } from '../load/http-client.mjs';
import { figure } from '../measure/figure.mjs';
import { percentile } from '../measure/percentile.mjs';
import { makeAgent } from '../services/make-agent.mjs';

const PER_SECOND = 50;
const COUNT = 300;
const WARM_UP = 150;

export const submitLatency = {
  key: 'b',
  title: `submit latency at ${PER_SECOND} requests/s, against a bare route with one insert`,
  /** @param {import('../services/bench-world.mjs').BenchWorld} world */
  run: async (world) => {
    const bare = await openBareRoute(world);
    const api = await world.startApi();
    const { executePath } = await makeAgent(api, 'sim-echo');
    const submit = (/** @type {number} */ index) => api.post(executePath, { input: `Order number ${index}` });
    const measure = (/** @type {(index: number) => Promise<unknown>} */ request, count = COUNT) =>
      fixedRate({ perSecond: PER_SECOND, count, request });
    await measure(bare, WARM_UP);
    await measure(submit, WARM_UP);

    const bareTimes = [...(await measure(bare, COUNT / 2)).times];
    const { times, refused } = await measure(submit);
    bareTimes.push(...(await measure(bare, COUNT / 2)).times);
    await world.startWorker();
    const busy = await measure(submit);
    return [
      figure('bare route p50', percentile(bareTimes, 50), 'ms'),
      figure('bare route p99', percentile(bareTimes, 99), 'ms'),
      figure('submit p50', percentile(times, 50), 'ms'),
      figure('submit p99', percentile(times, 99), 'ms'),
      figure('submit / bare route, p50', percentile(times, 50) / percentile(bareTimes, 50)),
      figure('submit / bare route, p99', percentile(times, 99) / percentile(bareTimes, 99)),
      figure('submit p50 while a worker runs them', percentile(busy.times, 50), 'ms'),
      figure('submit p99 while a worker runs them', percentile(busy.times, 99), 'ms'),
      figure('submits refused for want of room (429, 503)', refused + busy.refused, `of ${2 * COUNT}`, {
        atMost: 0,
      }),
    ];
  },
};

/** @param {import('../services/bench-world.mjs').BenchWorld} world */
async function openBareRoute(world) {
  await world.database.query('CREATE TABLE bare_request (id uuid PRIMARY KEY, body jsonb NOT NULL)');
  const entry = 'bench/programs/bare-route.mjs';
  const { url } = await world.startOther({ name: 'bare-route', entry, env: {}, readyPath: '/readyz' });
  const client = createLoadClient(url, PER_SECOND);
  world.defer(() => client.close());
  return (/** @type {number} */ index) => client.post('/', { input: `Order number ${index}` });
}
