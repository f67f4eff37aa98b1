// @ts-check
import { askOverHttp } from '../peer-system.mjs';

/** @type {import('../peer-system.mjs').PeerSystem} */
export const langgraph = {
  key: 'langgraph',
  title: 'LangGraph (TypeScript), checkpoints in PostgreSQL',
  durable: 'steps are kept; nothing resumes by itself',
  lacks: 'a queue, keys, going on by itself, tenants, policy, webhooks, audit',
  packages: {
    langchain: '1.5.14',
    '@langchain/core': '1.4.0',
    '@langchain/langgraph': '1.7.3',
    '@langchain/langgraph-checkpoint-postgres': '1.0.5',
    '@langchain/openai': '1.5.8',
    zod: '4.6.7',
  },
  open: async (stage) => {
    const env = { DATABASE_URL: await stage.createDatabase() };
    const { url, pid } = await stage.start({ name: 'langgraph', entry: 'langgraph-app.mjs', env });
    return { pids: () => [pid], ...askOverHttp(stage, url) };
  },
};
