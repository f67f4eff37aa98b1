// @ts-check
import { figure } from '../measure/figure.mjs';
import { WAIT_TOOL } from '../programs/bench-tools.mjs';
import { makeAgent } from '../services/make-agent.mjs';
import { startModelProxy } from '../services/model-proxy.mjs';
import { CALL_ROUNDS, CALLS_PER_ROUND, THOUSAND_CALLS } from '../services/model-scripts.mjs';

const THIRD = Math.floor(CALL_ROUNDS / 3);

/** @typedef {{wal: number, at: number}} Mark where the WAL stood when the model was asked, and when */

export const thousandCalls = {
  key: 'i',
  isOfAnyQueue: true,
  title: `one execution with ${CALL_ROUNDS * CALLS_PER_ROUND} tool calls, its first third against its last`,
  /** @param {import('../services/bench-world.mjs').BenchWorld} world */
  run: async (world) => {
    /** @type {Mark[]} */
    let marks = [];
    const mark = async () => {
      const { rows } = await world.database.query(
        `SELECT (pg_current_wal_insert_lsn() - '0/0')::float8 AS wal`,
      );
      marks.push({ wal: rows[0].wal, at: performance.now() });
    };
    // Before each model call, all earlier work is committed and nothing else runs.
    const proxy = await startModelProxy(world, mark);
    const api = await world.startApi();
    await world.startWorker({ OPENAI_BASE_URL: proxy.url });
    const config = { maximum_iterations: 30 };
    const { executePath } = await makeAgent(api, 'sim-script', { tools: [WAIT_TOOL], config });
    const run = async () => {
      marks = [];
      const answer = await api.post(executePath, { input: THOUSAND_CALLS }, { prefer: 'wait=60' });
      if (answer.result?.message.content !== 'Done.') throw new Error(`answered: ${JSON.stringify(answer)}`);
      return answer.execution_id;
    };
    // The first run writes full pages of the WAL.
    await run();
    const id = await run();
    const commits = await countCommits(world.database, id);
    const journal = await journalBytes(world.database, id);
    const first = average(marks.slice(0, THIRD + 1));
    const last = average(marks.slice(-THIRD - 1));
    return [
      figure('WAL per call, first third', first.wal, 'bytes'),
      figure('WAL per call, last third', last.wal, 'bytes'),
      figure('WAL per call, last / first third', last.wal / first.wal),
      figure('journal bytes per call, last / first third', thirds(journal)),
      figure('commits per call', commits / (CALL_ROUNDS * CALLS_PER_ROUND)),
      figure('time per call, first third', first.ms, 'ms'),
      figure('time per call, last third', last.ms, 'ms'),
      figure('time per call, last / first third', last.ms / first.ms),
    ];
  },
};

/** Average of a call, between the first and the last of these marks. @param {readonly Mark[]} marks */
function average(marks) {
  const [begin, end] = [marks[0], marks.at(-1)];
  if (begin === undefined || end === undefined) throw new Error('the model was not asked often enough');
  const calls = (marks.length - 1) * CALLS_PER_ROUND;
  return { wal: (end.wal - begin.wal) / calls, ms: (end.at - begin.at) / calls };
}

/**
 * Facts of one transaction have the same time.
 * @param {import('pg').Pool} database
 * @param {string} id
 */
async function countCommits(database, id) {
  const sql = 'SELECT count(DISTINCT created_at)::int AS commits FROM journal_entry WHERE execution_id = $1';
  return (await database.query(sql, [id])).rows[0].commits;
}

/**
 * @param {import('pg').Pool} database @param {string} id
 * @returns {Promise<number[]>} of each entry, in order
 */
async function journalBytes(database, id) {
  const sql =
    'SELECT pg_column_size(data) AS bytes FROM journal_entry WHERE execution_id = $1 ORDER BY sequence';
  return (await database.query(sql, [id])).rows.map(({ bytes }) => bytes);
}

/** @param {readonly number[]} bytes */
function thirds(bytes) {
  const third = Math.floor(bytes.length / 3);
  const sum = (/** @type {readonly number[]} */ values) => values.reduce((total, value) => total + value, 0);
  return sum(bytes.slice(-third)) / sum(bytes.slice(0, third));
}
