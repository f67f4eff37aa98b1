import { closedLoop } from '../load/closed-loop.mjs';
import { createLoadClient } from '../load/http-client.mjs';
import { figure } from '../measure/figure.mjs';
import { median } from '../report.mjs';
import { makeAgent } from '../services/make-agent.mjs';
import { startWebhookCounter } from '../services/webhook-counter.mjs';

const ROUNDS = 3;
const PER_ROUND = 500;
const WARM_UP = 300;
const CLIENTS = 32;
const INPUT = 'A question of ordinary length, as a customer would ask it.';

/** @typedef {(count: number) => Promise<number>} Throughput executions per second over so many of them */

export const endToEnd = {
  key: 'a',
  title: 'executions per second, end to end with webhooks, against a roofline',
  /** @param {import('../services/bench-world.mjs').BenchWorld} world */
  run: async (world) => {
    const service = await openService(world);
    const roofline = await openRoofline(await world.openTwin());
    await service(WARM_UP);
    await roofline(WARM_UP);
    const ours = [];
    const bare = [];
    // In turn, so that a machine whose speed drifts hits both alike.
    for (let round = 0; round < ROUNDS; round += 1) {
      ours.push(await service(PER_ROUND));
      bare.push(await roofline(PER_ROUND));
    }
    const ratios = ours.map((rate, index) => rate / (bare[index] ?? Number.NaN));
    return [
      figure('service', median(ours), 'executions/s'),
      figure('roofline', median(bare), 'executions/s'),
      figure('service / roofline', median(ratios), '', { atLeast: 0.6 }),
    ];
  },
};

/** @param {import('../services/bench-world.mjs').BenchWorld} world @returns {Promise<Throughput>} */
async function openService(world) {
  const webhooks = await startWebhookCounter(world);
  const api = await world.startApi();
  await world.startWorker();
  const { executePath } = await makeAgent(api, 'sim-echo');
  await api.post('/api/webhook-endpoints/', { url: webhooks.url });
  const request = () => api.post(executePath, { input: INPUT });
  return (count) => throughput({ world, webhooks, count, request });
}

/** @param {import('../services/bench-world.mjs').BenchWorld} world @returns {Promise<Throughput>} */
async function openRoofline(world) {
  const webhooks = await startWebhookCounter(world);
  const agents = await world.database.query('SELECT id FROM agent ORDER BY id LIMIT 1');
  const endpoints = await world.database.query(
    `INSERT INTO webhook_endpoint (tenant_id, url, secret_sealed, events) VALUES ('default', $1, 'none', '{}') RETURNING id`,
    [webhooks.url],
  );
  const env = {
    ROOFLINE_AGENT_ID: String(agents.rows[0].id),
    ROOFLINE_ENDPOINT_ID: String(endpoints.rows[0].id),
    ROOFLINE_WEBHOOK_URL: webhooks.url,
  };
  const programs = { env, readyPath: '/readyz' };
  const api = await world.startOther({
    ...programs,
    name: 'roofline-api',
    entry: 'bench/programs/roofline-api.mjs',
  });
  await world.startOther({
    ...programs,
    name: 'roofline-worker',
    entry: 'bench/programs/roofline-worker.mjs',
  });
  const client = createLoadClient(api.url, CLIENTS);
  world.defer(() => client.close());
  const request = () => client.post('/execute', { input: INPUT });
  return (count) => throughput({ world, webhooks, count, request });
}

/**
 * From the first submit to the last webhook.
 * @param {object} load
 * @param {import('../services/bench-world.mjs').BenchWorld} load.world
 * @param {import('../services/webhook-counter.mjs').WebhookCounter} load.webhooks
 * @param {number} load.count
 * @param {() => Promise<unknown>} load.request
 */
async function throughput({ world, webhooks, count, request }) {
  const wanted = webhooks.count() + count;
  const begun = performance.now();
  await closedLoop({ count, clients: CLIENTS, request });
  await webhooks.reached(wanted, world.signal);
  return (count / (performance.now() - begun)) * 1_000;
}
