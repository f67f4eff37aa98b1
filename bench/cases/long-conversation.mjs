// @ts-check
import { figure } from '../measure/figure.mjs';
import { percentile } from '../measure/percentile.mjs';
import { makeAgent } from '../services/make-agent.mjs';

const TURNS = 200;
const PART = 20;
const WARM_UP = 30;

export const longConversation = {
  key: 'n',
  isOfAnyQueue: true,
  title: `a conversation of ${TURNS} turns: its last ${PART} against its first`,
  /** @param {import('../services/bench-world.mjs').BenchWorld} world */
  run: async (world) => {
    const api = await world.startApi();
    await world.startWorker();
    const { executePath } = await makeAgent(api, 'sim-echo');
    const say = async (/** @type {string | null} */ session, /** @type {number} */ turn) => {
      const begun = performance.now();
      const body = {
        input: `What about number ${turn}?`,
        ...(session !== null && { session_uuid: session }),
      };
      const answer = await api.post(executePath, body, { prefer: 'wait=30' });
      if (answer.status !== 'completed') throw new Error(`a turn came to ${JSON.stringify(answer)}`);
      return { session: answer.session_uuid, tookMs: performance.now() - begun };
    };
    for (let run = 0; run < WARM_UP; run += 1) await say(null, run);
    /** @type {number[]} */
    const times = [];
    /** @type {string | null} */
    let session = null;
    for (let turn = 1; turn <= TURNS; turn += 1) {
      const said = await say(session, turn);
      session = said.session;
      times.push(said.tookMs);
    }
    const [first, last] = [times.slice(0, PART), times.slice(-PART)].map((part) => percentile(part, 50));
    return [
      figure(`p50, first ${PART} turns`, first ?? Number.NaN, 'ms'),
      figure(`p50, last ${PART} turns`, last ?? Number.NaN, 'ms'),
      figure('last / first', (last ?? Number.NaN) / (first ?? Number.NaN)),
    ];
  },
};
