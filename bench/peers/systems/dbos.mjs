// @ts-check
import { askOverHttp } from '../peer-system.mjs';

/** @type {import('../peer-system.mjs').PeerSystem} */
export const dbos = {
  key: 'dbos',
  title: 'DBOS (TypeScript), workflows and steps in PostgreSQL',
  durable: 'yes: after a start of the same executor',
  lacks:
    'a queue (its own is polled), take-over by another process, tenants, policy, live text, webhooks, audit',
  packages: { '@dbos-inc/dbos-sdk': '5.3.0', openai: '7.57.0' },
  open: async (stage) => {
    const env = { DATABASE_URL: await stage.createDatabase() };
    const { url, pid } = await stage.start({ name: 'dbos', entry: 'dbos-app.mjs', env });
    return { pids: () => [pid], ...askOverHttp(stage, url) };
  },
};
