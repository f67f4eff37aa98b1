// @ts-check
import { askOverHttp } from '../peer-system.mjs';

/** @type {import('../peer-system.mjs').PeerSystem} */
export const mastra = {
  key: 'mastra',
  title: 'Mastra, durable agent, storage in PostgreSQL',
  durable: 'steps are kept; resumed when asked to',
  lacks: 'a queue, keys, going on by itself, tenants, policy, webhooks, audit',
  packages: { '@mastra/core': '1.71.0', '@mastra/pg': '1.27.1', '@ai-sdk/openai': '4.0.118', zod: '4.6.7' },
  open: async (stage) => {
    const env = { DATABASE_URL: await stage.createDatabase() };
    const { url, pid } = await stage.start({ name: 'mastra', entry: 'mastra-app.mjs', env });
    return { pids: () => [pid], ...askOverHttp(stage, url) };
  },
};
