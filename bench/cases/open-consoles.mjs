// @ts-check
import { setTimeout as delay } from 'node:timers/promises';
import { Pool } from 'undici';
import { fixedRate } from '../load/fixed-rate.mjs';
import { cpuTime, cpuTimeOfFamily } from '../measure/cpu-time.mjs';
import { figure } from '../measure/figure.mjs';
import { percentile } from '../measure/percentile.mjs';
import { makeAgent } from '../services/make-agent.mjs';

const CONSOLES = 50;
/** How often an open console asks how many runs wait for a person (`inbox/use-waiting-runs.ts`). */
const INBOX_EVERY_MS = 30_000;
/** Least time from a change, or from the end of a reading, to the next reading of the newest page (`runs/use-runs.ts`). */
const NEWEST_AFTER_MS = 1_000;
const INBOX = '/api/executions/?status=requires_action&limit=100&sort=created_at';
const NEWEST = '/api/executions/?limit=50';
/** Time until work caused by opening the streams has ended, in ms. */
const SETTLED_AFTER_MS = 3_000;
const SUBMITS = { perSecond: 10, count: 200 };

export const openConsoles = {
  key: 'y',
  isOfAnyQueue: true,
  title: `${CONSOLES} consoles that show the list of runs, against none`,
  /** @param {import('../services/bench-world.mjs').BenchWorld} world */
  run: async (world) => {
    const api = await world.startApi();
    const pids = world.programs.map(({ pid }) => pid);
    await world.startWorker();
    const { executePath } = await makeAgent(api, 'sim-echo');
    const submit = () => api.post(executePath, { input: 'Hello' });
    await fixedRate({ ...SUBMITS, count: SUBMITS.perSecond, request: submit });
    const measure = () => ofBoth(world, pids, submit);
    const none = await measure();
    const consoles = openAll(world, api.url);
    const open = await measure();
    await consoles.close();
    return [
      figure('CPU of the API, idle, none', none.idle.api, '% of a core'),
      figure(`CPU of the API, idle, ${CONSOLES}`, open.idle.api, '% of a core'),
      figure('CPU of PostgreSQL, idle, none', none.idle.postgres, '% of a core'),
      figure(`CPU of PostgreSQL, idle, ${CONSOLES}`, open.idle.postgres, '% of a core'),
      figure(`CPU of the API, ${SUBMITS.perSecond} runs/s, none`, none.busy.api, '% of a core'),
      figure(`CPU of the API, ${SUBMITS.perSecond} runs/s, ${CONSOLES}`, open.busy.api, '% of a core'),
      figure(`CPU of PostgreSQL, ${SUBMITS.perSecond} runs/s, none`, none.busy.postgres, '% of a core'),
      figure(
        `CPU of PostgreSQL, ${SUBMITS.perSecond} runs/s, ${CONSOLES}`,
        open.busy.postgres,
        '% of a core',
      ),
      figure('submit p50, none', none.submitMs, 'ms'),
      figure(`submit p50, ${CONSOLES}`, open.submitMs, 'ms'),
      figure('requests of the consoles in all', consoles.requests()),
    ];
  },
};

/**
 * Use of API and PostgreSQL while nothing runs, and while runs come at a fixed rate.
 * @param {import('../services/bench-world.mjs').BenchWorld} world
 * @param {readonly number[]} pids
 * @param {() => Promise<unknown>} submit
 */
async function ofBoth(world, pids, submit) {
  await delay(SETTLED_AFTER_MS);
  const seconds = SUBMITS.count / SUBMITS.perSecond;
  const { share: idle } = await cpuOf(world, pids, () => delay(seconds * 1_000));
  const { share: busy, result } = await cpuOf(world, pids, () => fixedRate({ ...SUBMITS, request: submit }));
  return { idle, busy, submitMs: percentile(result.times, 50) };
}

/**
 * CPU use of API and PostgreSQL during some work.
 * @template Result
 * @param {import('../services/bench-world.mjs').BenchWorld} world
 * @param {readonly number[]} pids
 * @param {() => Promise<Result>} work
 */
async function cpuOf({ postgresPid }, pids, work) {
  const [api, postgres, begun] = [cpuTime(pids), cpuTimeOfFamily(postgresPid), performance.now()];
  const result = await work();
  const share = (/** @type {number} */ ms) => (ms / (performance.now() - begun)) * 100;
  return {
    result,
    share: { api: share(cpuTime(pids) - api), postgres: share(cpuTimeOfFamily(postgresPid) - postgres) },
  };
}

/**
 * Consoles that show the list of runs: each follows all changes, reads the newest page about a second after there are some,
 * and asks for what waits for a person from time to time.
 * @param {import('../services/bench-world.mjs').BenchWorld} world
 * @param {string} url
 */
function openAll(world, url) {
  const pool = new Pool(url, { connections: 4 * CONSOLES, pipelining: 1, bodyTimeout: 0 });
  const leaving = new AbortController();
  const { signal } = leaving;
  const left = new Promise((resolve) => signal.addEventListener('abort', resolve));
  world.defer(() => leaving.abort());
  let requests = 0;
  const read = async (/** @type {string} */ path) => {
    requests += 1;
    const answer = await pool.request({ path, method: 'GET' });
    await answer.body.dump();
  };
  const untilLeft = (/** @type {() => Promise<void>} */ work) =>
    work().catch((/** @type {unknown} */ error) => {
      if (!signal.aborted) throw error;
    });
  const works = Array.from({ length: CONSOLES }, (_, index) => {
    let change = Promise.withResolvers();
    const follow = async () => {
      const headers = { accept: 'text/event-stream' };
      const answer = await pool.request({ path: '/api/executions/events/', method: 'GET', headers, signal });
      for await (const chunk of answer.body)
        if (String(chunk).includes('event: execution')) change.resolve(null);
    };
    const ask = async () => {
      // They were not opened in the same instant.
      await delay((index / CONSOLES) * INBOX_EVERY_MS, undefined, { signal });
      for (;;) {
        await read(INBOX);
        await delay(INBOX_EVERY_MS, undefined, { signal });
      }
    };
    const refresh = async () => {
      for (;;) {
        await Promise.race([change.promise, left]);
        await delay(NEWEST_AFTER_MS * (1 + Math.random() / 2), undefined, { signal });
        change = Promise.withResolvers();
        await read(NEWEST);
      }
    };
    return [follow, ask, refresh].map(untilLeft);
  });
  return {
    requests: () => requests,
    close: async () => {
      leaving.abort();
      await Promise.all(works.flat());
      await pool.destroy();
    },
  };
}
