// @ts-check
import { setTimeout as delay } from 'node:timers/promises';
import { closedLoop } from '../load/closed-loop.mjs';
import { createLoadClient } from '../load/http-client.mjs';
import { cpuTime, cpuTimeOfFamily } from '../measure/cpu-time.mjs';
import { figure } from '../measure/figure.mjs';
import { makeAgent } from '../services/make-agent.mjs';

/** Followers of one API process, in the order in which they are added. */
const FOLLOWERS = [0, 1_000, 5_000];
const CLIENTS = 16;
const WATCHED_MS = 20_000;

export const followers = {
  key: 'k',
  title: 'followers of executions in which nothing happens, by their number',
  /** @param {import('../services/bench-world.mjs').BenchWorld} world */
  run: async (world) => {
    const streams = { EVENT_STREAMS_MAX: '100000', EVENT_STREAMS_PER_TENANT: '100000' };
    const api = await world.startApi(streams);
    const apiPid = world.programs.at(-1)?.pid ?? 0;
    const { executePath } = await makeAgent(api, 'sim-echo');
    const followed = createLoadClient(api.url, Math.max(...FOLLOWERS));
    world.defer(() => followed.close());
    const followOne = async () => {
      // No worker: it waits for one.
      const { id } = await api.post(executePath, { input: 'Hello' });
      const answer = await followed.open(`/api/executions/${id}/events/`);
      answer.body.on('error', () => undefined).resume();
    };
    const figures = [];
    let open = 0;
    for (const count of FOLLOWERS) {
      await closedLoop({ count: count - open, clients: CLIENTS, request: followOne });
      open = count;
      // The first looks of all of them are over.
      await delay(3_000);
      const [apiMs, postgresMs] = [cpuTime([apiPid]), cpuTimeOfFamily(world.postgresPid)];
      const begun = performance.now();
      await delay(WATCHED_MS);
      const share = (/** @type {number} */ cpuMs) => (cpuMs / (performance.now() - begun)) * 100;
      figures.push(
        figure(`CPU of the API, ${count}`, share(cpuTime([apiPid]) - apiMs), '% of a core'),
        figure(
          `CPU of PostgreSQL, ${count}`,
          share(cpuTimeOfFamily(world.postgresPid) - postgresMs),
          '% of a core',
        ),
      );
    }
    return figures;
  },
};
