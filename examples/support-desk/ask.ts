// Sends a customer's message to the support desk, and decides on refunds as a colleague would.
//   npm run example -- support-desk "The lamp of order A-1001 arrived broken, please refund it." [--refuse "why"]
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { createApiClient } from '../../scripts/quickstart/api-client.ts';
import { printFailures } from '../../scripts/quickstart/print-failures.ts';
import { runWithDecisions } from '../approval/decide-calls.ts';
import { provideDesk } from './desk.ts';

printFailures();

const {
  API = 'http://localhost:3000',
  // Models of the simulator; with an API key use, for example, gpt-5-mini and text-embedding-3-small.
  CHAT_MODEL = 'sim-support-clerk',
  EMBED_MODEL = 'sim-words',
} = process.env;
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { refuse: { type: 'string' } },
});
const input = positionals[0] ?? 'The lamp of order A-1001 arrived broken, please refund it.';

const program = fileURLToPath(new URL('shop/serve.mjs', import.meta.url));
const shop = spawn(process.execPath, [program, '0'], { stdio: ['ignore', 'pipe', 'inherit'] });
try {
  const [shopUrl] = (await once(createInterface({ input: shop.stdout }), 'line')) as [string];
  const client = createApiClient(API, AbortSignal.timeout(300_000));
  const agent = await provideDesk(client, shopUrl, { chatModel: CHAT_MODEL, embedModel: EMBED_MODEL });
  const request = { input, additional_data: { supportChannel: 'chat' } };
  const { content, data } = await runWithDecisions(client, agent, request, ({ tool_name, tool_input }) => {
    const verdict = values.refuse === undefined ? 'agreed' : 'refused';
    console.log(`${verdict}: ${tool_name} ${JSON.stringify(tool_input)}`);
    return values.refuse ?? null;
  });
  console.log(`${content}\n${JSON.stringify(data)}`);
  console.log(`paid by the shop: ${await (await fetch(`${shopUrl}/refunds`)).text()}`);
} finally {
  shop.kill();
}
