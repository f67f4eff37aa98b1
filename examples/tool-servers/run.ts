// Has an agent look up an order through an MCP server, and send a parcel through an HTTP service.
//   npm run example -- tool-servers
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { createApiClient } from '../../scripts/quickstart/api-client.ts';
import { printFailures } from '../../scripts/quickstart/print-failures.ts';

printFailures();

const {
  API = 'http://localhost:3000',
  // Plays the script below; with an API key, a model like gpt-5-mini reads only the sentence.
  CHAT_MODEL = 'sim-script',
} = process.env;

const MADE = z.object({ id: z.union([z.int(), z.string()]), name: z.string() });
const EXECUTION = z.object({
  id: z.string(),
  status: z.string(),
  finished_at: z.string().nullable(),
  error: z.object({ message: z.string() }).nullable(),
  result: z.object({ message: z.object({ content: z.string() }) }).nullable(),
});
const STEPS = z.object({ data: z.array(z.object({ tool_name: z.string(), status: z.string() })) });

/** The calls that a model would choose, since the simulator understands no text. */
const SCRIPT = {
  answers: [
    { calls: [{ name: 'mcp__orders__find_order', arguments: { order: 7 } }] },
    { calls: [{ name: 'mcp__parcels__send_parcel', arguments: { to: 'Mara', holds: 'two boxes of tea' } }] },
    { text: 'Two boxes of tea are on their way to Mara.' },
  ],
};
const SENTENCE = 'Send order 7 to Mara.';
const input =
  CHAT_MODEL === 'sim-script' ? `${SENTENCE}\n\`\`\`sim-script\n${JSON.stringify(SCRIPT)}\n\`\`\`` : SENTENCE;

const client = createApiClient(API, AbortSignal.timeout(120_000));
const known = await client.get('/api/mcp-servers/', z.object({ data: z.array(MADE) }));

/** Registers a tool server, or updates the address of an earlier run's server. */
async function provideServer(server: { name: string; type: string; config: object; tools?: object }) {
  const found = known.data.find(({ name }) => name === server.name);
  if (found === undefined) await client.post('/api/mcp-servers/', server, MADE);
  else await client.patch(`/api/mcp-servers/${found.id}/`, { config: server.config }, MADE);
}

async function provideAgent(): Promise<number | string> {
  const name = `Shipper, ${CHAT_MODEL}`;
  const agents = await client.get('/api/agents/', z.array(MADE));
  const found = agents.find((agent) => agent.name === name);
  if (found !== undefined) return found.id;
  const llm = await client.post('/api/llms/', { name, model: CHAT_MODEL }, MADE);
  const tools = { servers: ['mcp__orders__find_order', 'mcp__parcels__*'] };
  const fields = { name, usecase_type: 'BASIC_CHAT', llm: llm.id, system_prompt: 'You send orders.', tools };
  return (await client.post('/api/agents/', fields, MADE)).id;
}

const servers = spawn(process.execPath, [fileURLToPath(new URL('serve.mjs', import.meta.url)), '0'], {
  stdio: ['ignore', 'pipe', 'inherit'],
});
try {
  const [url] = (await once(createInterface({ input: servers.stdout }), 'line')) as [string];
  const document = await readFile(new URL('parcels.openapi.json', import.meta.url), 'utf8');
  const headers_template = { Authorization: 'Bearer ${parcels}' };
  await provideServer({
    ...{ name: 'orders', type: 'http', config: { url: `${url}/mcp` } },
    tools: { find_order: { effect: 'read' } },
  });
  await provideServer({
    ...{ name: 'parcels', type: 'openapi', config: { document, base_url: url, headers_template } },
  });
  const request = { input, tokens: { parcels: 'parcel-token' } };
  let execution = await client.post(`/api/agents/${await provideAgent()}/execute/`, request, EXECUTION);
  while (execution.finished_at === null) {
    await pause(100);
    execution = await client.get(`/api/executions/${execution.id}/`, EXECUTION);
  }
  const steps = await client.get(`/api/executions/${execution.id}/steps/`, STEPS);
  for (const { tool_name, status } of steps.data) console.log(`${tool_name}: ${status}`);
  if (execution.result === null) throw new Error(execution.error?.message ?? execution.status);
  console.log(execution.result.message.content);
  const parcels = await fetch(`${url}/parcels`, { headers: { authorization: 'Bearer parcel-token' } });
  console.log(`sent by the service: ${await parcels.text()}`);
} finally {
  servers.kill();
}
