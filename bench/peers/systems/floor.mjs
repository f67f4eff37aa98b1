// @ts-check
import { join } from 'node:path';
import getPort from 'get-port';
import { askOverHttp } from '../peer-system.mjs';

const PROGRAMS = join(import.meta.dirname, '..', 'floor');

/**
 * A bare program that keeps what Capstan keeps of a run: key, session, run, facts, step, messages, usage. It is the limit
 * of what durability costs.
 * @type {import('../peer-system.mjs').PeerSystem}
 */
export const floor = {
  key: 'floor',
  title: 'the floor: a bare program with the same rows',
  durable: 'yes',
  lacks: 'tenants, policy, streams and events, webhooks, audit texts, isolation',
  packages: {},
  open: async (stage) => {
    const { root } = stage;
    const env = {
      DATABASE_URL: await stage.createDatabase(),
      WORKER_PORT: String(await getPort({ host: '127.0.0.1' })),
    };
    const entry = (/** @type {string} */ file) => join(PROGRAMS, file);
    const { url, pid: api } = await stage.start({
      name: 'floor-api',
      entry: entry('floor-api.mjs'),
      env,
      root,
    });
    const worker = { name: 'floor-worker', entry: entry('floor-worker.mjs'), env, root };
    const { pid } = await stage.start(worker);
    return { pids: () => [api, pid], ...askOverHttp(stage, url) };
  },
};
