// Sends a customer's message to the support desk, and decides on refunds as a colleague would.
//   npm run example -- support-desk "The lamp of order A-1001 arrived broken, please refund it." [--refuse "why"]
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { Capstan, CapstanError } from 'capstan/client';
import { provideDesk } from './desk.ts';

process.on('uncaughtException', (error) => {
  console.error(error instanceof CapstanError ? error.message : error);
  process.exit(1);
});

const {
  // Models of the simulator; with an API key use, for example, gpt-5-mini and text-embedding-3-small.
  CHAT_MODEL = 'sim-support-clerk',
  EMBED_MODEL = 'sim-words',
} = process.env;
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { refuse: { type: 'string' } },
});
const input = positionals[0] ?? 'The lamp of order A-1001 arrived broken, please refund it.';
// By CAPSTAN_BASE_URL and CAPSTAN_API_KEY.
const client = new Capstan();

const program = fileURLToPath(new URL('shop/serve.mjs', import.meta.url));
const shop = spawn(process.execPath, [program, '0'], { stdio: ['ignore', 'pipe', 'inherit'] });
try {
  const [shopUrl] = (await once(createInterface({ input: shop.stdout }), 'line')) as [string];
  const agent = await provideDesk(client, shopUrl, { chatModel: CHAT_MODEL, embedModel: EMBED_MODEL });
  const { content, data } = await ask(agent);
  console.log(`${content}\n${JSON.stringify(data)}`);
  console.log(`paid by the shop: ${await (await fetch(`${shopUrl}/refunds`)).text()}`);
} finally {
  shop.kill();
}

/** Runs the agent to its answer, and decides on every call that waits for a person. */
async function ask(agentId: number): Promise<{ content: string; data: object }> {
  const first = await client.run(agentId, { input, additional_data: { supportChannel: 'chat' } });
  let { execution } = first;
  while (execution.status === 'requires_action') {
    for (const { tool_name, tool_input } of execution.required_action?.calls ?? [])
      console.log(
        `${values.refuse === undefined ? 'agreed' : 'refused'}: ${tool_name} ${JSON.stringify(tool_input)}`,
      );
    if (values.refuse === undefined) await client.executions.approve(execution.id);
    else await client.executions.reject(execution.id, { reason: values.refuse });
    execution = await client.executions.wait(execution.id);
  }
  if (execution.result === null)
    throw new Error(`the execution is ${execution.status}: ${execution.error?.message ?? 'no reason given'}`);
  return execution.result.message;
}
