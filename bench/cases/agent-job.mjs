// @ts-check
import { setTimeout as delay } from 'node:timers/promises';
import { closedLoop } from '../load/closed-loop.mjs';
import { createLoadClient } from '../load/http-client.mjs';
import { figure } from '../measure/figure.mjs';
import { percentile } from '../measure/percentile.mjs';
import { WAIT_TOOL } from '../programs/bench-tools.mjs';
import { makeAgent } from '../services/make-agent.mjs';
import { AGENT_JOB, AGENT_JOB_MODEL_MS } from '../services/model-scripts.mjs';

const TOOL_MS = 10;
const FLOOR_MS = AGENT_JOB_MODEL_MS + TOOL_MS + AGENT_JOB_MODEL_MS;
const WARM_UP = 300;
const ALONE = 60;
const CLIENTS = 100;
const TOGETHER = 1_500;

export const agentJob = {
  key: 'h',
  title: `model ${AGENT_JOB_MODEL_MS} ms, tool ${TOOL_MS} ms, model ${AGENT_JOB_MODEL_MS} ms`,
  /** @param {import('../services/bench-world.mjs').BenchWorld} world */
  run: async (world) => {
    const api = await world.startApi();
    await world.startWorker({ WORKER_CONCURRENCY: String(CLIENTS) });
    const { executePath } = await makeAgent(api, 'sim-script', { tools: [WAIT_TOOL] });
    const request = async () => {
      const answer = await api.post(executePath, { input: AGENT_JOB }, { prefer: 'wait=30' });
      if (answer.result?.message.content !== 'Done.') throw new Error(`answered: ${JSON.stringify(answer)}`);
    };
    await closedLoop({ count: WARM_UP, clients: 16, request });
    const byHand = await closedLoop({ count: ALONE, clients: 1, request: openJobByHand(world) });
    const alone = await closedLoop({ count: ALONE, clients: 1, request });
    const begun = performance.now();
    const together = await closedLoop({ count: TOGETHER, clients: CLIENTS, request });
    const rate = (TOGETHER / (performance.now() - begun)) * 1_000;
    return [
      figure('by hand p50, one client', percentile(byHand, 50), 'ms'),
      figure('end to end p50, one client', percentile(alone, 50), 'ms'),
      figure(`end to end / ${FLOOR_MS} ms, one client`, percentile(alone, 50) / FLOOR_MS, '', {
        atMost: 1.4,
      }),
      figure(`end to end p50, ${CLIENTS} clients`, percentile(together, 50), 'ms'),
      figure(`rate, ${CLIENTS} clients`, rate, 'executions/s', { atLeast: 150 }),
    ];
  },
};

/**
 * The same three waits without any service: what timers and the simulator make of the floor on this machine.
 * @param {import('../services/bench-world.mjs').BenchWorld} world
 */
function openJobByHand(world) {
  const { origin, pathname } = new URL(world.modelUrl);
  const model = createLoadClient(origin, 1);
  world.defer(() => model.close());
  const ask = (/** @type {object[]} */ more) => {
    const input = [{ role: 'user', content: AGENT_JOB }, ...more];
    const headers = { authorization: 'Bearer bench' };
    return model.post(
      `${pathname}/responses`,
      { model: 'sim-script', input, tools: [TOOL], store: false },
      headers,
    );
  };
  return async () => {
    const { output } = await ask([]);
    await delay(TOOL_MS);
    await ask([output[0], { type: 'function_call_output', call_id: output[0].call_id, output: 'waited' }]);
  };
}

const TOOL = {
  type: 'function',
  name: WAIT_TOOL,
  strict: true,
  parameters: {
    type: 'object',
    properties: { milliseconds: { type: 'number' } },
    required: ['milliseconds'],
    additionalProperties: false,
  },
};
