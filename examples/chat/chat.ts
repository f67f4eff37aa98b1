// Chats with an agent in one session: each line is a message, and answers are shown as they arrive.
//   printf 'I am Mara.\nWho am I?\n' | npm run example -- chat
import { createInterface } from 'node:readline';
import { Capstan, CapstanError } from 'capstan/client';

process.on('uncaughtException', (error) => {
  console.error(error instanceof CapstanError ? error.message : error);
  process.exit(1);
});

// A simulator model that repeats its input; with an API key use, for example, gpt-5-mini.
const { CHAT_MODEL = 'sim-echo' } = process.env;

// By CAPSTAN_BASE_URL and CAPSTAN_API_KEY.
const client = new Capstan();
const llm = await client.llms.create({ name: 'Chat', model: CHAT_MODEL });
const agent = await client.agents.create({
  name: 'Chat',
  usecase_type: 'BASIC_CHAT',
  llm: llm.id,
  system_prompt: 'Be brief.',
});

let session: string | undefined;
for await (const input of createInterface({ input: process.stdin })) {
  if (input.trim() === '') continue;
  const request = { input, ...(session !== undefined && { session_uuid: session }) };
  const { execution } = await client.run(agent.id, request, {
    onEvent: (event) => {
      if (event.event === 'text_delta') process.stdout.write(event.data.content);
    },
  });
  session = execution.session_uuid;
  process.stdout.write('\n');
}
