// Has an agent look up an order through an MCP server, and send a parcel through an HTTP service.
//   npm run example -- tool-servers
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { Capstan, CapstanError } from 'capstan/client';

process.on('uncaughtException', (error) => {
  console.error(error instanceof CapstanError ? error.message : error);
  process.exit(1);
});

// Plays the script below; with an API key, a model like gpt-5-mini reads only the sentence.
const { CHAT_MODEL = 'sim-script' } = process.env;

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

// By CAPSTAN_BASE_URL and CAPSTAN_API_KEY.
const client = new Capstan();

/** Registers a tool server, or updates the address of an earlier run's server. */
async function provideServer(server: Parameters<typeof client.toolServers.create>[0]): Promise<void> {
  for await (const { id, name } of client.toolServers.list())
    if (name === server.name) {
      await client.toolServers.update(id, { config: server.config ?? {} });
      return;
    }
  await client.toolServers.create(server);
}

async function provideAgent(): Promise<number> {
  const wanted = `Shipper, ${CHAT_MODEL}`;
  for await (const { id, name } of client.agents.list()) if (name === wanted) return id;
  const llm = await client.llms.create({ name: wanted, model: CHAT_MODEL });
  const agent = await client.agents.create({
    name: wanted,
    usecase_type: 'BASIC_CHAT',
    llm: llm.id,
    system_prompt: 'You send orders.',
    tools: { servers: ['mcp__orders__find_order', 'mcp__parcels__*'] },
  });
  return agent.id;
}

const servers = spawn(process.execPath, [fileURLToPath(new URL('serve.mjs', import.meta.url)), '0'], {
  stdio: ['ignore', 'pipe', 'inherit'],
});
try {
  const [url] = (await once(createInterface({ input: servers.stdout }), 'line')) as [string];
  const document = await readFile(new URL('parcels.openapi.json', import.meta.url), 'utf8');
  await provideServer({
    ...{ name: 'orders', type: 'http', config: { url: `${url}/mcp` } },
    tools: { find_order: { effect: 'read' } },
  });
  const headers_template = { Authorization: 'Bearer ${parcels}' };
  await provideServer({
    ...{ name: 'parcels', type: 'openapi', config: { document, base_url: url, headers_template } },
  });
  const request = { input, tokens: { parcels: 'parcel-token' } };
  const { execution } = await client.run(await provideAgent(), request);
  for await (const { tool_name, status } of client.executions.listSteps(execution.id))
    console.log(`${tool_name}: ${status}`);
  console.log(execution.result?.message.content);
  const parcels = await fetch(`${url}/parcels`, { headers: { authorization: 'Bearer parcel-token' } });
  console.log(`sent by the service: ${await parcels.text()}`);
} finally {
  servers.kill();
}
