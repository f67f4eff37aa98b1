// A graph with checkpoints in PostgreSQL. After a crash, nothing resumes its runs.
import { PostgresSaver } from '@langchain/langgraph-checkpoint-postgres';
import { ChatOpenAI } from '@langchain/openai';
import { createAgent, tool } from 'langchain';
import { z } from 'zod';
import { serveInProcess } from './run-in-process.mjs';

const lookup = tool(async () => (await fetch(process.env.TOOL_URL)).text(), {
  name: 'lookup',
  description: 'Looks something up.',
  schema: z.object({ q: z.string() }),
});
const model = new ChatOpenAI({
  model: 'gpt-5-mini',
  apiKey: 'bench',
  useResponsesApi: true,
  configuration: { baseURL: process.env.MODEL_URL },
});
const checkpointer = PostgresSaver.fromConnString(process.env.DATABASE_URL);
await checkpointer.setup();
const agent = createAgent({ model, tools: [lookup], checkpointer });

serveInProcess(async (id, input) => {
  const state = await agent.invoke(
    { messages: [{ role: 'user', content: input }] },
    { configurable: { thread_id: id }, durability: 'sync' },
  );
  return state.messages.at(-1).text;
});
