// An agent of an SDK in a job of a queue, as a team would write it by hand.
import { createServer } from 'node:http';
import { Agent, run, setDefaultOpenAIClient, setTracingDisabled, tool } from '@openai/agents';
import { Worker } from 'bullmq';
import OpenAI from 'openai';
import { z } from 'zod';

setTracingDisabled(true);
setDefaultOpenAIClient(new OpenAI({ apiKey: 'bench', baseURL: process.env.MODEL_URL }));

const lookup = tool({
  name: 'lookup',
  description: 'Looks something up.',
  parameters: z.object({ q: z.string() }),
  execute: async () => (await fetch(process.env.TOOL_URL)).text(),
});
const agent = new Agent({ name: 'bench', model: 'gpt-5-mini', tools: [lookup] });

const worker = new Worker('runs', async ({ data }) => (await run(agent, data.input)).finalOutput, {
  connection: { url: process.env.REDIS_URL },
  concurrency: Number(process.env.CONCURRENCY),
});
await worker.waitUntilReady();
createServer((_request, response) => response.end('ok')).listen(Number(process.env.PORT), '127.0.0.1');
process.once('SIGTERM', () => process.exit(0));
