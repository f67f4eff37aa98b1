// @ts-check
import { request } from 'undici';
import { figure } from '../measure/figure.mjs';
import { percentile } from '../measure/percentile.mjs';
import { makeAgent } from '../services/make-agent.mjs';
import { startModelProxy } from '../services/model-proxy.mjs';
import { TWELVE_WORDS, WORD_MS, WORDS } from '../services/model-scripts.mjs';

const RUNS = 20;
const WARM_UP = 3;

/** When the first text of a stream and its last came, after the model had sent them, in milliseconds. */
/** @typedef {{first: number, last: number}} Delay */

export const firstDelta = {
  key: 'c',
  title: `from the model to the client, at idle: ${WORDS} words, one each ${WORD_MS} ms`,
  /** @param {import('../services/bench-world.mjs').BenchWorld} world */
  run: async (world) => {
    const proxy = await startModelProxy(world);
    const api = await world.startApi();
    // The model streams only the answer.
    await world.startWorker({ OPENAI_BASE_URL: proxy.url, TITLES: 'input' });
    const { executePath } = await makeAgent(api, 'sim-script');
    const throughService = async () => {
      const { id } = await api.post(executePath, { input: TWELVE_WORDS });
      const answer = await api.open(`/api/executions/${id}/events/`);
      return watchText(answer, 'event: text_delta', proxy.textTimes);
    };
    const direct = async () => {
      const answer = await request(`${proxy.url}/responses`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: 'Bearer bench' },
        body: JSON.stringify({ model: 'sim-script', input: TWELVE_WORDS, stream: true, store: false }),
      });
      return watchText(answer, 'event: response.output_text.delta', proxy.textTimes);
    };
    /** @type {Delay[]} */
    const ours = [];
    /** @type {Delay[]} */
    const bare = [];
    for (let run = -WARM_UP; run < RUNS; run += 1) {
      const [service, stream] = [await throughService(), await direct()];
      if (run >= 0) {
        ours.push(service);
        bare.push(stream);
      }
    }
    const of = (
      /** @type {Delay[]} */ delays,
      /** @type {'first' | 'last'} */ which,
      /** @type {number} */ percent,
    ) =>
      percentile(
        delays.map((delay) => delay[which]),
        percent,
      );
    const over = (/** @type {'first' | 'last'} */ which, /** @type {number} */ percent) =>
      of(ours, which, percent) - of(bare, which, percent);
    return [
      figure('first text, direct stream p50', of(bare, 'first', 50), 'ms'),
      figure('first text, through the service p50', of(ours, 'first', 50), 'ms'),
      figure('first text over the direct stream p50', over('first', 50), 'ms', { atMost: 5 }),
      figure('first text over the direct stream p95', over('first', 95), 'ms'),
      figure('last text over the direct stream p50', over('last', 50), 'ms'),
      figure('last text over the direct stream p95', over('last', 95), 'ms'),
    ];
  },
};

/**
 * @param {import('undici').Dispatcher.ResponseData} answer read to its end
 * @param {string} mark of an event with text
 * @param {() => readonly number[]} sentAt when the model sent its texts
 * @returns {Promise<Delay>}
 */
async function watchText(answer, mark, sentAt) {
  /** @type {number[]} */
  const seenAt = [];
  for await (const chunk of answer.body) {
    if (String(chunk).includes(mark)) seenAt.push(performance.now());
  }
  const sent = sentAt();
  const [firstSent, lastSent, first, last] = [sent[0], sent.at(-1), seenAt[0], seenAt.at(-1)];
  if (firstSent === undefined || lastSent === undefined) throw new Error('the model sent no text');
  if (first === undefined || last === undefined) throw new Error(`the stream ended without ${mark}`);
  return { first: first - firstSent, last: last - lastSent };
}
