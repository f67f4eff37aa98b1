// @ts-check
import { checkedRun } from '../load/checked-run.mjs';
import { closedLoop } from '../load/closed-loop.mjs';
import { fixedRate } from '../load/fixed-rate.mjs';
import { figure } from '../measure/figure.mjs';
import { percentile } from '../measure/percentile.mjs';
import { openAgentJob } from '../services/agent-job.mjs';
import { insertFinished } from '../services/insert-finished.mjs';
import { makeAgent } from '../services/make-agent.mjs';
import { startFakeModel } from '../services/start-fake-model.mjs';

const FINISHED = 1_000_000;
const LIST_READS = 40;
const SUBMITS = { perSecond: 50, count: 150 };
const WARM_UP = { count: 300, clients: 16 };
const RUNS = { count: 1_000, clients: 100 };
const CONCURRENCY = 50;
const NO_SESSION = '00000000-0000-7000-8000-000000000000';
/** Lists that fill a page, and lists that must search all rows to find none. */
const LISTS = [
  { name: 'the newest', query: '' },
  { name: 'a status that none has', query: '&status=requires_action' },
  { name: 'a session that there is not', query: `&session_uuid=${NO_SESSION}` },
  { name: 'metadata that none has', query: '&metadata[order]=none' },
];

/** @typedef {Map<string, number>} Found by name, in milliseconds or per second */

export const manyFinished = {
  key: 'l',
  isOfAnyQueue: true,
  title: `${FINISHED} finished executions, against none`,
  /** @param {import('../services/bench-world.mjs').BenchWorld} world */
  run: async (world) => {
    const { url } = await startFakeModel(world);
    const empty = await measure(await world.openTwin(), url, 0);
    const finished = world.isSmall ? FINISHED / 10 : FINISHED;
    const full = await measure(world, url, finished);
    const figures = [...full].flatMap(([name, value]) => {
      const isRate = name.startsWith('rate');
      const unit = isRate ? 'executions/s' : 'ms';
      const aim = name.startsWith('list') ? /** @type {const} */ ({ atMost: 5 }) : undefined;
      const none = empty.get(name) ?? Number.NaN;
      return [
        figure(`${name}, none finished`, none, unit),
        figure(`${name}, many finished`, value, unit, aim),
        figure(`${name}, many / none`, value / none),
      ];
    });
    return [figure('finished executions', finished), ...figures];
  },
};

/**
 * @param {import('../services/bench-world.mjs').BenchWorld} world
 * @param {string} modelServer
 * @param {number} finished
 * @returns {Promise<Found>}
 */
async function measure(world, modelServer, finished) {
  const job = await openAgentJob(world, { modelServer, workers: 1, concurrency: CONCURRENCY });
  const { api } = job;
  const { id: agentId } = await makeAgent(api, 'sim-echo');
  await insertFinished(world.database, { count: finished, agentId });
  /** @type {Found} */
  const found = new Map();
  const request = checkedRun(job.once, 'run');
  await closedLoop({ ...WARM_UP, request });
  const begun = performance.now();
  await closedLoop({ ...RUNS, request });
  found.set(`rate, ${RUNS.clients} clients`, (RUNS.count / (performance.now() - begun)) * 1_000);
  found.set('submit p50', percentile((await fixedRate({ ...SUBMITS, request: job.submit })).times, 50));
  for (const { name, query } of LISTS) {
    const read = () => api.get(`/api/executions/?limit=20${query}`);
    await closedLoop({ count: LIST_READS / 4, clients: 1, request: read });
    const times = await closedLoop({ count: LIST_READS, clients: 1, request: read });
    found.set(`list of ${name}, p50`, percentile(times, 50));
  }
  return found;
}
