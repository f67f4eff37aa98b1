// A durable agent: its loop is a workflow with snapshots in PostgreSQL. The start below goes on with runs that a death left.
import { createOpenAI } from '@ai-sdk/openai';
import { Mastra } from '@mastra/core';
import { Agent } from '@mastra/core/agent';
import { createDurableAgent } from '@mastra/core/agent/durable';
import { createTool } from '@mastra/core/tools';
import { PostgresStore } from '@mastra/pg';
import { z } from 'zod';
import { serveInProcess } from './run-in-process.mjs';

const openai = createOpenAI({ baseURL: process.env.MODEL_URL, apiKey: 'bench' });
const lookup = createTool({
  id: 'lookup',
  description: 'Looks something up.',
  inputSchema: z.object({ q: z.string() }),
  execute: async () => ({ found: await (await fetch(process.env.TOOL_URL)).text() }),
});
const bench = createDurableAgent({
  agent: new Agent({
    id: 'bench',
    name: 'bench',
    instructions: 'Answer.',
    model: openai.responses('gpt-5-mini'),
    tools: { lookup },
  }),
});
const storage = new PostgresStore({ id: 'bench', connectionString: process.env.DATABASE_URL });
const mastra = new Mastra({ agents: { bench }, storage, logger: false });

await storage.init();
await mastra.getAgent('bench').recoverActiveRuns();

serveInProcess(async (id, input) => {
  const { output, cleanup } = await mastra.getAgent('bench').stream(input, { runId: id });
  const text = await output.text;
  cleanup();
  return text;
});
