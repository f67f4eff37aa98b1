// An agent with storage in PostgreSQL. After a crash, nothing resumes its runs.
import { createOpenAI } from '@ai-sdk/openai';
import { Mastra } from '@mastra/core';
import { Agent } from '@mastra/core/agent';
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
const bench = new Agent({
  id: 'bench',
  name: 'bench',
  instructions: 'Answer.',
  model: openai.responses('gpt-5-mini'),
  tools: { lookup },
});
const storage = new PostgresStore({ id: 'bench', connectionString: process.env.DATABASE_URL });
const mastra = new Mastra({ agents: { bench }, storage, logger: false });

serveInProcess(async (_id, input) => (await mastra.getAgent('bench').generate(input)).text);
