// @ts-check
import { setTimeout as delay } from 'node:timers/promises';
import { Pool } from 'undici';
import { fixedRate } from '../load/fixed-rate.mjs';
import { cpuTime, cpuTimeOfFamily } from '../measure/cpu-time.mjs';
import { figure } from '../measure/figure.mjs';
import { percentile } from '../measure/percentile.mjs';
import { residentBytes } from '../measure/process-files.mjs';
import { makeAgent } from '../services/make-agent.mjs';

const COUNTS = [1_000, 5_000];
/** Streams opened together; more would overflow the accept queue. */
const WAVE = 100;
/** No worker runs, so these executions emit no events. */
const EXECUTIONS = 500;
/** Time until work caused by opening the streams has ended, in ms. */
const SETTLED_AFTER_MS = 3_000;
const WATCHED_MS = 10_000;
const SUBMITS = { perSecond: 50, count: 150 };

export const silentFollowers = {
  key: 'm',
  isOfAnyQueue: true,
  title: `${COUNTS.join(' and ')} followers of executions of which there is nothing to say`,
  /** @param {import('../services/bench-world.mjs').BenchWorld} world */
  run: async (world) => {
    const most = String(10_000);
    const api = await world.startApi({
      EVENT_STREAMS_MAX: most,
      EVENT_STREAMS_PER_TENANT: most,
      EVENT_STREAMS_PER_KEY: most,
    });
    const pids = world.programs.map(({ pid }) => pid);
    const { executePath } = await makeAgent(api, 'sim-echo');
    const submit = () => api.post(executePath, { input: 'Hello' });
    /** @type {string[]} */
    const ids = [];
    for (let made = 0; made < EXECUTIONS; made += 1) ids.push((await submit()).id);
    const open = openStreams(world, api.url);

    const memory = () => pids.reduce((sum, pid) => sum + residentBytes(pid), 0);
    const [empty, idle] = [memory(), await watch(world, pids)];
    const { times: idleTimes } = await fixedRate({ ...SUBMITS, request: submit });
    const figures = [
      figure('CPU of the API, no followers', idle.api, '% of a core'),
      figure('submit p50, no followers', percentile(idleTimes, 50), 'ms'),
    ];
    let followers = 0;
    for (const count of COUNTS.map((all) => (world.isSmall ? all / 10 : all))) {
      for (; followers < count; followers += WAVE) {
        const wave = Array.from({ length: WAVE }, (_, index) => ids[(followers + index) % ids.length] ?? '');
        await Promise.all(wave.map(open));
      }
      const { api: share, postgres } = await watch(world, pids);
      const held = (memory() - empty) / followers / 1_000;
      const { times } = await fixedRate({ ...SUBMITS, request: submit });
      figures.push(
        figure(`CPU of the API, ${followers} followers`, share, '% of a core'),
        figure(`CPU of PostgreSQL, ${followers} followers`, postgres, '% of a core'),
        figure(`memory of the API per follower, ${followers} followers`, held, 'kB'),
        figure(`submit p50, ${followers} followers`, percentile(times, 50), 'ms'),
      );
    }
    return figures;
  },
};

/**
 * @param {import('../services/bench-world.mjs').BenchWorld} world
 * @param {string} url
 * @returns {(id: string) => Promise<void>} opens one more stream and reads it until the case is over
 */
function openStreams(world, url) {
  const pool = new Pool(url, { pipelining: 1, bodyTimeout: 0 });
  world.defer(() => pool.destroy());
  return async (id) => {
    const headers = { accept: 'text/event-stream' };
    const answer = await pool.request({ path: `/api/executions/${id}/events/`, method: 'GET', headers });
    if (answer.statusCode !== 200) throw new Error(`events answered ${answer.statusCode}`);
    answer.body.on('error', () => {
      // The case has ended.
    });
    answer.body.resume();
  };
}

/**
 * CPU use of API and PostgreSQL while nothing happens.
 * @param {import('../services/bench-world.mjs').BenchWorld} world
 * @param {readonly number[]} pids
 */
async function watch({ postgresPid }, pids) {
  await delay(SETTLED_AFTER_MS);
  const [api, postgres, begun] = [cpuTime(pids), cpuTimeOfFamily(postgresPid), performance.now()];
  await delay(WATCHED_MS);
  const share = (/** @type {number} */ ms) => (ms / (performance.now() - begun)) * 100;
  return { api: share(cpuTime(pids) - api), postgres: share(cpuTimeOfFamily(postgresPid) - postgres) };
}
