// @ts-check
import { closedLoop } from '../load/closed-loop.mjs';
import { cpuTime, cpuTimeOfFamily } from '../measure/cpu-time.mjs';
import { figure } from '../measure/figure.mjs';
import { median } from '../measure/median.mjs';
import { watchMemory } from '../measure/peak-memory.mjs';
import { makeAgent } from '../services/make-agent.mjs';
import { openRoofline } from '../services/roofline.mjs';
import { startWebhookCounter } from '../services/webhook-counter.mjs';

const ROUNDS = 3;
const PER_ROUND = 500;
/** Runs before V8 has compiled the code of an execution, which then needs a fifth less CPU. */
const WARM_UP = 1_000;
const CLIENTS = 32;
const INPUT = 'A question of ordinary length, as a customer would ask it.';

/**
 * As in the rooflines: 20 parallel requests to the only receiver, where the default is four, and no session titles.
 */
const LIKE_THE_ROOFLINES = {
  TITLES: 'input',
  WEBHOOK_ENDPOINT_CONCURRENCY: '20',
  WEBHOOK_TENANT_CONCURRENCY: '20',
};

/** @typedef {import('../services/roofline.mjs').Executor} Executor */

/**
 * Result of a round: executions per second, CPU time of each in ms, and peak memory in bytes.
 * @typedef {{rate: number, programsMs: number, postgresMs: number, redisMs: number, memory: number}} Round
 */

export const endToEnd = {
  key: 'a',
  title: 'executions per second, end to end with webhooks, against two rooflines',
  /** @param {import('../services/bench-world.mjs').BenchWorld} world */
  run: async (world) => {
    const contenders = [
      { name: 'service', executor: await openService(world, LIKE_THE_ROOFLINES) },
      { name: 'service, default settings', executor: await openService(await world.openTwin(), {}) },
      { name: 'roofline', executor: await openBare(world, 'roofline') },
      { name: 'roofline with group commit', executor: await openBare(world, 'grouped-roofline') },
    ].map((contender) => ({ ...contender, rounds: /** @type {Round[]} */ ([]) }));
    for (const { executor } of contenders) await runRound(executor, WARM_UP);
    // Interleaved, so that a drift of the machine's speed affects all alike.
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const { executor, rounds } of contenders) rounds.push(await runRound(executor, PER_ROUND));
    }
    const [ours = [], , bare = [], grouped = []] = contenders.map(({ rounds }) => rounds);
    return [
      ...contenders.flatMap(({ name, rounds }, index) => describe(name, rounds, index === 0)),
      figure(
        'service / roofline',
        ratio(ours, bare, ({ rate }) => rate),
        '',
        { atLeast: 0.8 },
      ),
      figure(
        'service / roofline with group commit',
        ratio(ours, grouped, ({ rate }) => rate),
        '',
        { atLeast: 0.7 },
      ),
      figure('CPU time: roofline / service', ratio(bare, ours, cpuOf)),
      figure('CPU time: roofline with group commit / service', ratio(grouped, ours, cpuOf)),
    ];
  },
};

/** @param {import('../services/bench-world.mjs').BenchWorld} world @param {Record<string, string>} settings */
async function openService(world, settings) {
  const webhooks = await startWebhookCounter(world);
  const api = await world.startApi();
  await world.startWorker(settings);
  const { executePath } = await makeAgent(api, 'sim-echo');
  await api.post('/api/webhook-endpoints/', { url: webhooks.url });
  return { world, webhooks, submit: (/** @type {string} */ input) => api.post(executePath, { input }) };
}

/** @param {import('../services/bench-world.mjs').BenchWorld} world @param {'roofline' | 'grouped-roofline'} name */
async function openBare(world, name) {
  return openRoofline(await world.openTwin(), { name, clients: CLIENTS });
}

/**
 * Time from the first submit to the last webhook.
 * @param {Executor} executor
 * @param {number} count
 * @returns {Promise<Round>}
 */
async function runRound({ world, webhooks, submit }, count) {
  const pids = world.programs.map(({ pid }) => pid);
  const look = () => ({
    programsMs: cpuTime(pids),
    postgresMs: cpuTimeOfFamily(world.postgresPid),
    redisMs: cpuTime(world.redisPid === null ? [] : [world.redisPid]),
  });
  const before = look();
  const wanted = webhooks.count() + count;
  const begun = performance.now();
  const { bytes } = await watchMemory(
    () => pids,
    async () => {
      await closedLoop({ count, clients: CLIENTS, request: () => submit(INPUT) });
      await webhooks.reached(wanted, world.signal);
    },
  );
  const tookMs = performance.now() - begun;
  const after = look();
  return {
    rate: (count / tookMs) * 1_000,
    programsMs: (after.programsMs - before.programsMs) / count,
    postgresMs: (after.postgresMs - before.postgresMs) / count,
    redisMs: (after.redisMs - before.redisMs) / count,
    memory: bytes,
  };
}

/** @param {string} name @param {readonly Round[]} rounds @param {boolean} isHeldToAim */
function describe(name, rounds, isHeldToAim) {
  const middle = (/** @type {(round: Round) => number} */ read) => median(rounds.map(read));
  const most = /** @type {const} */ ({ atMost: 5 });
  return [
    figure(
      `${name}: rate`,
      middle(({ rate }) => rate),
      'executions/s',
    ),
    figure(`${name}: CPU per execution`, middle(cpuOf), 'ms', isHeldToAim ? most : undefined),
    figure(
      `${name}: of that PostgreSQL`,
      middle(({ postgresMs }) => postgresMs),
      'ms',
    ),
    figure(`${name}: RSS of API and worker`, middle(({ memory }) => memory) / 1e6, 'MB'),
  ];
}

/** @param {Round} round */
function cpuOf({ programsMs, postgresMs, redisMs }) {
  return programsMs + postgresMs + redisMs;
}

/**
 * Median of the ratios of each round.
 * @param {readonly Round[]} above
 * @param {readonly Round[]} below
 * @param {(round: Round) => number} read
 */
function ratio(above, below, read) {
  return median(above.map((round, index) => read(round) / (below[index] ? read(below[index]) : Number.NaN)));
}
