// @ts-check
import { askOverHttp } from '../peer-system.mjs';

/** @type {import('../peer-system.mjs').PeerSystem} */
export const bullmq = {
  key: 'bullmq',
  title: 'BullMQ + OpenAI Agents SDK, by hand',
  durable: 'no: the job is retried from its beginning',
  lacks: 'kept steps and messages, a fence, tenants, policy, events, webhooks, audit',
  packages: { bullmq: '6.7.0', ioredis: '6.0.0', '@openai/agents': '0.20.0', openai: '7.57.0', zod: '4.6.7' },
  open: async (stage) => {
    const env = { REDIS_URL: stage.takeRedis() };
    const { url, pid: api } = await stage.start({ name: 'bullmq-api', entry: 'bullmq-api.mjs', env });
    const { pid: worker } = await stage.start({ name: 'bullmq-worker', entry: 'bullmq-worker.mjs', env });
    return { pids: () => [api, worker], ...askOverHttp(stage, url) };
  },
};
