// @ts-check
import { setTimeout as delay } from 'node:timers/promises';
import { cpuTime } from '../measure/cpu-time.mjs';
import { figure } from '../measure/figure.mjs';
import { insertLongSessions } from '../services/insert-long-sessions.mjs';
import { makeAgent } from '../services/make-agent.mjs';

const SESSIONS = 40;
/** Messages after the summary, and the tokens that the budget allows for a few more. */
const SHOWN = 20;
const HISTORY_TOKENS = 4_000;
/** Idle connections report their statistics only after 10 s. */
const COUNTS_ARE_IN_AFTER_MS = 11_000;

/** @typedef {{rows: number, tokens: number, cpuMs: number}} Cost of one turn */

export const historyLength = {
  key: 'p',
  isOfAnyQueue: true,
  title: 'a turn in a session of 20, 200 and 2 000 messages',
  /** @param {import('../services/bench-world.mjs').BenchWorld} world */
  run: async (world) => {
    const api = await world.startApi();
    const { pid } = await world.startWorker();
    const summarised = await makeAgent(api, 'sim-echo', { config: { history_tokens: HISTORY_TOKENS } });
    const everything = await makeAgent(api, 'sim-echo', { config: { history_tokens: 1_000_000 } });
    /** @param {{id: number, executePath: string}} agent @param {number} messages @param {number | null} shown */
    const measure = async ({ id: agentId, executePath }, messages, shown) => {
      const ids = await insertLongSessions(world.database, { agentId, sessions: SESSIONS, messages, shown });
      await delay(COUNTS_ARE_IN_AFTER_MS);
      const [rows, cpuMs] = [await rowsRead(world.database), cpuTime([pid])];
      let tokens = 0;
      for (const session_uuid of ids) {
        const answer = await api.post(
          executePath,
          { input: 'And now?', session_uuid },
          { prefer: 'wait=30' },
        );
        if (answer.status !== 'completed') throw new Error(`a turn came to ${JSON.stringify(answer)}`);
        tokens += answer.usage.input_tokens;
      }
      const spentMs = cpuTime([pid]) - cpuMs;
      await delay(COUNTS_ARE_IN_AFTER_MS);
      const read = (await rowsRead(world.database)) - rows;
      return { rows: read / ids.length, tokens: tokens / ids.length, cpuMs: spentMs / ids.length };
    };
    // The first turns include the compilation of a worker's code.
    await measure(summarised, SHOWN, SHOWN);
    const short = await measure(summarised, 20, SHOWN);
    const middle = await measure(summarised, 200, SHOWN);
    const long = await measure(summarised, 2_000, SHOWN);
    const whole = await measure(everything, 2_000, null);
    return [
      ...figuresOf('20 messages', short),
      ...figuresOf('200 messages', middle),
      ...figuresOf('2 000 messages', long),
      figure('rows, 2 000 / 20 messages', long.rows / short.rows, '', { atMost: 1.2 }),
      figure('tokens, 2 000 / 20 messages', long.tokens / short.tokens, '', { atMost: 1.2 }),
      figure('CPU, 2 000 / 20 messages', long.cpuMs / short.cpuMs, '', { atMost: 1.2 }),
      ...figuresOf('2 000 messages without a summary', whole),
    ];
  },
};

/** @param {string} name @param {Cost} cost */
function figuresOf(name, { rows, tokens, cpuMs }) {
  return [
    figure(`rows of messages read, ${name}`, rows),
    figure(`input tokens, ${name}`, tokens),
    figure(`CPU of the worker, ${name}`, cpuMs, 'ms'),
  ];
}

/** Rows of messages read since the database began, by any plan. @param {import('pg').Pool} database */
async function rowsRead(database) {
  const { rows } = await database.query(
    `SELECT coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0) AS count FROM pg_stat_user_tables WHERE relname = 'chat_message'`,
  );
  return Number(rows[0].count);
}
