// @ts-check
import { join } from 'node:path';
import { closedLoop } from '../load/closed-loop.mjs';
import { figure } from '../measure/figure.mjs';
import { countPostgresWork } from '../measure/postgres-counters.mjs';
import { countRedisCommands } from '../measure/redis-counters.mjs';
import { writeResults } from '../present/write-results.mjs';
import { makeAgent } from '../services/make-agent.mjs';
import { startWebhookCounter } from '../services/webhook-counter.mjs';

const COUNT = 600;
const WARM_UP = 200;
const CLIENTS = 8;

export const costPerExecution = {
  key: 'e',
  title: 'commits, statements and queue commands per execution with one webhook, under load',
  /** @param {import('../services/bench-world.mjs').BenchWorld} world */
  run: async (world) => {
    const webhooks = await startWebhookCounter(world);
    const api = await world.startApi();
    await world.startWorker();
    const { executePath } = await makeAgent(api, 'sim-echo');
    await api.post('/api/webhook-endpoints/', { url: webhooks.url });
    const load = async (/** @type {number} */ count) => {
      const wanted = webhooks.count() + count;
      await closedLoop({ count, clients: CLIENTS, request: () => api.post(executePath, { input: 'Hello' }) });
      await webhooks.reached(wanted, world.signal);
    };
    await load(WARM_UP);
    /** @type {Map<string, number>} */
    let commands = new Map();
    const work = await countPostgresWork(world.database, async () => {
      if (world.redisUrl === null) await load(COUNT);
      else commands = await countRedisCommands(world.redisUrl, () => load(COUNT));
    });
    const details = join(world.root, '.local', 'bench', `statements-${world.backend}.json`);
    writeResults(details, { executions: COUNT, ...work, commands: Object.fromEntries(commands) });
    // Scripts cannot call scripts, so these commands came from clients.
    const entered = ['evalsha', 'eval', 'bzpopmin'];
    const sent = entered.reduce((sum, command) => sum + (commands.get(command) ?? 0), 0);
    const all = [...commands.values()].reduce((sum, calls) => sum + calls, 0);
    return [
      figure('commits', work.commits / COUNT),
      figure('WAL', work.walBytes / COUNT / 1_000, 'kB'),
      figure('statements of the service', work.serviceStatements / COUNT),
      ...(world.redisUrl === null
        ? [figure('statements of the queue', work.queueStatements / COUNT)]
        : [
            figure('scripts and waits sent to Redis', sent / COUNT),
            figure('Redis commands, those inside scripts included', all / COUNT),
          ]),
    ];
  },
};
