// @ts-check
import { request } from 'undici';
import { figure } from '../measure/figure.mjs';
import { percentile } from '../measure/percentile.mjs';
import { makeAgent } from '../services/make-agent.mjs';
import { startModelProxy } from '../services/model-proxy.mjs';
import { ONE_WORD } from '../services/model-scripts.mjs';

const RUNS = 30;
const WARM_UP = 5;

export const firstDelta = {
  key: 'c',
  title: 'from the model’s first delta to the client’s, at idle',
  /** @param {import('../services/bench-world.mjs').BenchWorld} world */
  run: async (world) => {
    const proxy = await startModelProxy(world);
    const api = await world.startApi();
    await world.startWorker({ OPENAI_BASE_URL: proxy.url });
    const { executePath } = await makeAgent(api, 'sim-script');
    const sinceModel = () => performance.now() - (proxy.lastFirstDeltaAt() ?? Number.NaN);
    const throughService = async () => {
      const { id } = await api.post(executePath, { input: ONE_WORD });
      const answer = await api.open(`/api/executions/${id}/events/`);
      return untilText(answer, 'text_delta', sinceModel);
    };
    const direct = async () => {
      const answer = await request(`${proxy.url}/responses`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: 'Bearer bench' },
        body: JSON.stringify({ model: 'sim-script', input: ONE_WORD, stream: true, store: false }),
      });
      return untilText(answer, 'response.output_text.delta', sinceModel);
    };
    /** @type {number[]} */
    const ours = [];
    /** @type {number[]} */
    const bare = [];
    for (let run = -WARM_UP; run < RUNS; run += 1) {
      const [service, stream] = [await throughService(), await direct()];
      if (run >= 0) {
        ours.push(service);
        bare.push(stream);
      }
    }
    const over = (/** @type {number} */ percent) => percentile(ours, percent) - percentile(bare, percent);
    return [
      figure('direct stream p50', percentile(bare, 50), 'ms'),
      figure('through the service p50', percentile(ours, 50), 'ms'),
      figure('over the direct stream p50', over(50), 'ms', { atMost: 30 }),
      figure('over the direct stream p95', over(95), 'ms'),
    ];
  },
};

/**
 * @template T
 * @param {import('undici').Dispatcher.ResponseData} answer read to its end
 * @param {string} mark
 * @param {() => T} whenSeen
 * @returns {Promise<T>}
 */
async function untilText(answer, mark, whenSeen) {
  /** @type {T | undefined} */
  let seen;
  for await (const chunk of answer.body) {
    if (seen === undefined && String(chunk).includes(mark)) seen = whenSeen();
  }
  if (seen === undefined) throw new Error(`the stream ended without ${mark}`);
  return seen;
}
