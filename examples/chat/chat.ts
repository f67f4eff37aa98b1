// Chats with an agent in one session: each line is a message, and answers are shown as they arrive.
//   printf 'I am Mara.\nWho am I?\n' | npm run example -- chat
import { createInterface } from 'node:readline';
import { z } from 'zod';
import { createApiClient } from '../../scripts/quickstart/api-client.ts';
import { followExecution } from '../../scripts/quickstart/follow-execution.ts';
import { printFailures } from '../../scripts/quickstart/print-failures.ts';

printFailures();

const {
  API = 'http://localhost:3000',
  // A simulator model that repeats its input; with an API key use, for example, gpt-5-mini.
  CHAT_MODEL = 'sim-echo',
} = process.env;

const MADE = z.object({ id: z.int() });
const ACCEPTED = z.object({ id: z.string(), session_uuid: z.string() });
const DELTA = z.object({ content: z.string() });

const signal = AbortSignal.timeout(300_000);
const client = createApiClient(API, signal);
const llm = await client.post('/api/llms/', { name: 'Chat', model: CHAT_MODEL }, MADE);
const fields = { name: 'Chat', usecase_type: 'BASIC_CHAT', llm: llm.id, system_prompt: 'Be brief.' };
const agent = await client.post('/api/agents/', fields, MADE);

let session: string | undefined;
for await (const input of createInterface({ input: process.stdin })) {
  if (input.trim() === '') continue;
  const request = { input, ...(session !== undefined && { session_uuid: session }) };
  const accepted = await client.post(`/api/agents/${agent.id}/execute/`, request, ACCEPTED);
  session = accepted.session_uuid;
  for await (const { event, data } of followExecution(client, accepted.id, signal))
    if (event === 'text_delta') process.stdout.write(DELTA.parse(data).content);
  process.stdout.write('\n');
}
