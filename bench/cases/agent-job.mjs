// @ts-check
import { closedLoop } from '../load/closed-loop.mjs';
import { createLoadClient } from '../load/http-client.mjs';
import { figure } from '../measure/figure.mjs';
import { CLIENTS, measureRuns } from '../measure/measure-runs.mjs';
import { percentile } from '../measure/percentile.mjs';
import { LOOKUP_TOOL } from '../programs/bench-tools.mjs';
import { openAgentJob } from '../services/agent-job.mjs';
import { MODEL_MS, startFakeModel, TOOL_MS } from '../services/start-fake-model.mjs';

const ALONE = 60;
const TOGETHER = 1_500;
/** As in the other systems of `npm run bench:peers`. */
const CONCURRENCY = 50;
const WAYS = /** @type {const} */ ([
  { way: 'once', title: 'one request' },
  { way: 'twice', title: 'two requests' },
]);

export const agentJob = {
  key: 'h',
  title: `model ${MODEL_MS} ms, tool over HTTP ${TOOL_MS} ms, model ${MODEL_MS} ms`,
  /** @param {import('../services/bench-world.mjs').BenchWorld} world */
  run: async (world) => {
    const { redisPid, postgresPid } = world;
    const { url, pid: modelPid } = await startFakeModel(world);
    const job = await openAgentJob(world, { modelServer: url, workers: 1, concurrency: CONCURRENCY });
    const byHand = await closedLoop({ count: ALONE, clients: 1, request: openJobByHand(world, url) });
    const measured = await measureRuns(job, { postgresPid, redisPid, modelPid }, TOGETHER);
    const byHandP50 = percentile(byHand, 50);
    return [
      figure('by hand p50, one client', byHandP50, 'ms'),
      ...WAYS.flatMap(({ way, title }) => {
        const { aloneP50, rate, p50, p99, cpu, loadShare } = measured[way];
        return [
          figure(`p50, one client, ${title}`, aloneP50, 'ms'),
          figure(`over by hand, one client, ${title}`, aloneP50 - byHandP50, 'ms'),
          figure(`rate, ${CLIENTS} clients, ${title}`, rate, 'executions/s'),
          figure(`p50, ${CLIENTS} clients, ${title}`, p50, 'ms'),
          figure(`p99, ${CLIENTS} clients, ${title}`, p99, 'ms'),
          figure(`CPU per execution, ${title}`, cpu.system + cpu.postgres + cpu.redis, 'ms', { atMost: 5 }),
          figure(`of that API and worker, ${title}`, cpu.system, 'ms'),
          figure(`load generator, ${title}`, loadShare * 100, '% of a core'),
        ];
      }),
      figure('RSS of API and worker under load', measured.memory / 1e6, 'MB', { atMost: 380 }),
    ];
  },
};

/**
 * The same three waits without any service: what timers and the model's server make of them on this machine.
 * @param {import('../services/bench-world.mjs').BenchWorld} world
 * @param {string} modelServer
 */
function openJobByHand(world, modelServer) {
  const server = createLoadClient(modelServer, 1);
  world.defer(() => server.close());
  const ask = (/** @type {object[]} */ more) =>
    server.post('/v1/responses', {
      model: 'gpt-5-mini',
      input: [{ role: 'user', content: 'hi' }, ...more],
      tools: [{ type: 'function', name: LOOKUP_TOOL }],
    });
  return async () => {
    const { output } = await ask([]);
    const found = await server.get('/tool');
    const { call_id } = output[0];
    await ask([output[0], { type: 'function_call_output', call_id, output: JSON.stringify(found) }]);
  };
}
