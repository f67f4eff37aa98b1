// @ts-check
import { closedLoop } from '../load/closed-loop.mjs';
import { createLoadClient } from '../load/http-client.mjs';
import { cpuTime, cpuTimeOfFamily } from '../measure/cpu-time.mjs';
import { figure } from '../measure/figure.mjs';
import { median } from '../measure/median.mjs';
import { makeAgent } from '../services/make-agent.mjs';
import { startWebhookCounter } from '../services/webhook-counter.mjs';

const ROUNDS = 3;
const PER_ROUND = 500;
const WARM_UP = 300;
const CLIENTS = 32;
const INPUT = 'A question of ordinary length, as a customer would ask it.';

/**
 * What so many executions took: how many there were per second, and the CPU time of each.
 * @typedef {{rate: number, programsMs: number, postgresMs: number}} Round
 */
/** @typedef {(count: number) => Promise<Round>} Load */

export const endToEnd = {
  key: 'a',
  title: 'executions per second, end to end with webhooks, against a roofline',
  /** @param {import('../services/bench-world.mjs').BenchWorld} world */
  run: async (world) => {
    const service = await openService(world);
    const roofline = await openRoofline(await world.openTwin());
    await service(WARM_UP);
    await roofline(WARM_UP);
    /** @type {Round[]} */
    const ours = [];
    /** @type {Round[]} */
    const bare = [];
    // In turn, so that a machine whose speed drifts hits both alike.
    for (let round = 0; round < ROUNDS; round += 1) {
      ours.push(await service(PER_ROUND));
      bare.push(await roofline(PER_ROUND));
    }
    const ratios = ours.map(({ rate }, index) => rate / (bare[index]?.rate ?? Number.NaN));
    const cpu = ours.map((round, index) => cpuOf(bare[index]) / cpuOf(round));
    const of = (/** @type {Round[]} */ rounds, /** @type {keyof Round} */ what) =>
      median(rounds.map((round) => round[what]));
    return [
      figure('service', of(ours, 'rate'), 'executions/s'),
      figure('roofline', of(bare, 'rate'), 'executions/s'),
      figure('service / roofline', median(ratios), '', { atLeast: 0.6 }),
      figure('CPU per execution, API and worker', of(ours, 'programsMs'), 'ms'),
      figure('CPU per execution, API and worker of the roofline', of(bare, 'programsMs'), 'ms'),
      figure('CPU per execution, PostgreSQL', of(ours, 'postgresMs'), 'ms'),
      figure('CPU per execution, PostgreSQL of the roofline', of(bare, 'postgresMs'), 'ms'),
      figure('service / roofline by CPU time', median(cpu)),
    ];
  },
};

/** The roofline spares its only receiver nothing either; in service four requests at once are the default. */
const WHOLE_WORKER_FOR_ONE_RECEIVER = {
  WEBHOOK_ENDPOINT_CONCURRENCY: '20',
  WEBHOOK_TENANT_CONCURRENCY: '20',
};

/** @param {Round | undefined} round */
function cpuOf(round) {
  return round === undefined ? Number.NaN : round.programsMs + round.postgresMs;
}

/** @param {import('../services/bench-world.mjs').BenchWorld} world @returns {Promise<Load>} */
async function openService(world) {
  const webhooks = await startWebhookCounter(world);
  const api = await world.startApi();
  await world.startWorker(WHOLE_WORKER_FOR_ONE_RECEIVER);
  const { executePath } = await makeAgent(api, 'sim-echo');
  await api.post('/api/webhook-endpoints/', { url: webhooks.url });
  const request = () => api.post(executePath, { input: INPUT });
  return (count) => runRound({ world, webhooks, count, request });
}

/** @param {import('../services/bench-world.mjs').BenchWorld} world @returns {Promise<Load>} */
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
  return (count) => runRound({ world, webhooks, count, request });
}

/**
 * From the first submit to the last webhook.
 * @param {object} load
 * @param {import('../services/bench-world.mjs').BenchWorld} load.world
 * @param {import('../services/webhook-counter.mjs').WebhookCounter} load.webhooks
 * @param {number} load.count
 * @param {() => Promise<unknown>} load.request
 * @returns {Promise<Round>}
 */
async function runRound({ world, webhooks, count, request }) {
  const pids = world.programs.map(({ pid }) => pid);
  const [programs, postgres] = [cpuTime(pids), cpuTimeOfFamily(world.postgresPid)];
  const wanted = webhooks.count() + count;
  const begun = performance.now();
  await closedLoop({ count, clients: CLIENTS, request });
  await webhooks.reached(wanted, world.signal);
  return {
    rate: (count / (performance.now() - begun)) * 1_000,
    programsMs: (cpuTime(pids) - programs) / count,
    postgresMs: (cpuTimeOfFamily(world.postgresPid) - postgres) / count,
  };
}
