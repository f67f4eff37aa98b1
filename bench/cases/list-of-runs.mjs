// @ts-check
import { closedLoop } from '../load/closed-loop.mjs';
import { figure } from '../measure/figure.mjs';
import { percentile } from '../measure/percentile.mjs';
import { insertFinished } from '../services/insert-finished.mjs';
import { makeAgent } from '../services/make-agent.mjs';

const FINISHED = 1_000_000;
/** Rows of a page, as the console asks for them. */
const PAGE = 50;
const READS = 100;
const PAGES_DOWN = 40;
const NO_SESSION = '00000000-0000-7000-8000-000000000000';
const WEEK_MS = 7 * 24 * 3_600_000;

export const listOfRuns = {
  key: 'x',
  isOfAnyQueue: true,
  title: `pages of the list of runs, with the filters of the console, at ${FINISHED} executions`,
  /** @param {import('../services/bench-world.mjs').BenchWorld} world */
  run: async (world) => {
    const count = world.isSmall ? FINISHED / 10 : FINISHED;
    const api = await world.startApi();
    const { id: agentId } = await makeAgent(api, 'sim-echo');
    await insertFinished(world.database, { count, agentId });
    const week = new Date(Date.now() - WEEK_MS).toISOString();
    const lists = [
      { name: 'the newest', query: '' },
      { name: 'those of a status and an agent', query: `&status=completed&agent_id=${agentId}` },
      { name: 'those of a week', query: `&from=${week}` },
      { name: `page ${PAGES_DOWN}`, query: `&cursor=${await cursorOfPage(api, PAGES_DOWN)}` },
      { name: 'a status that none has', query: '&status=failed' },
      { name: 'a session that there is not', query: `&session_uuid=${NO_SESSION}` },
      { name: 'an executor without runs', query: '&executor_id=absent' },
      { name: 'an error that none has', query: '&error_code=TIMEOUT' },
      { name: 'metadata that none has', query: '&metadata[order]=none' },
      { name: 'what waits for a person', query: '&status=requires_action&sort=created_at' },
    ];
    const figures = [figure('executions', count)];
    for (const { name, query } of lists) {
      const request = () => api.get(`/api/executions/?limit=${PAGE}${query}`);
      await closedLoop({ count: READS / 10, clients: 1, request });
      const times = await closedLoop({ count: READS, clients: 1, request });
      figures.push(
        figure(`${name}, p50`, percentile(times, 50), 'ms', { atMost: 5 }),
        figure(`${name}, p95`, percentile(times, 95), 'ms'),
      );
    }
    return figures;
  },
};

/**
 * Cursor after which a page of the newest executions begins.
 * @param {import('../load/http-client.mjs').LoadClient} api
 * @param {number} page
 * @returns {Promise<string>}
 */
async function cursorOfPage(api, page) {
  let cursor = '';
  for (let read = 1; read < page; read += 1) {
    const after = cursor === '' ? '' : `&cursor=${cursor}`;
    cursor = (await api.get(`/api/executions/?limit=${PAGE}${after}`)).next_cursor;
  }
  return cursor;
}
