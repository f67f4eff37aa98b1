// Drafts a customer's order, corrects and confirms it as a person would, and sends it to the ordering service.
//   npm run example -- order-entry
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Capstan, CapstanError } from 'capstan/client';
import { z } from 'zod';

process.on('uncaughtException', (error) => {
  console.error(error instanceof CapstanError ? error.message : error);
  process.exit(1);
});

const { ORDERING_SERVICE, ORDERING_TOKEN = 'ordering-token' } = process.env;
const input = process.argv[2] ?? '5 cases of roma tomatoes for Friday, please';

const SAVED = z.object({ savedOrderRequestId: z.int().optional() });

/** The fields read of an order request. */
interface OrderRequest {
  readonly status: string;
  readonly version: number;
  readonly items: readonly { readonly item_num: string; readonly quantity: number }[];
  readonly sending: {
    readonly order_number: string | null;
    readonly failure: { readonly message: string } | null;
  } | null;
}

// By CAPSTAN_BASE_URL and CAPSTAN_API_KEY.
const client = new Capstan();
const { execution } = await client.run(await findAgent('salesAgent'), input);
const { savedOrderRequestId: id } = SAVED.parse(execution.result?.message.data);
if (id === undefined) throw new Error('no order came of it');
const path = `/api/order-requests/${id}/`;
const draft = await client.request<OrderRequest>('GET', path);
console.log(
  `drafted: ${draft.items.map(({ item_num, quantity }) => `${quantity} × ${item_num}`).join(', ')}`,
);

// As a person would, raises the first line by one, and confirms the rest unchanged.
const items = draft.items.map((line, index) => ({
  ...line,
  quantity: line.quantity + (index === 0 ? 1 : 0),
}));
const headers = { 'if-match': `"${draft.version}"` };
await client.request('PATCH', path, { items, is_saved: true }, { headers });
const service = await orderingService();
try {
  await client.request('PUT', '/api/ordering-service/', { url: service.url, token: ORDERING_TOKEN });
  let order = await client.request<OrderRequest>('POST', `${path}send/`);
  while (order.status === 'sending') {
    await pause(100);
    order = await client.request<OrderRequest>('GET', path);
  }
  const { sending } = order;
  console.log(`${order.status}: ${sending?.order_number ?? sending?.failure?.message ?? 'nothing is known'}`);
  if (order.status !== 'sent') process.exitCode = 1;
} finally {
  service.end();
}

async function findAgent(wanted: string): Promise<number> {
  for await (const { id: agent, name } of client.agents.list()) if (name === wanted) return agent;
  throw new Error(`there is no ${wanted}: the service needs the project examples/order-entry`);
}

/** The service of ORDERING_SERVICE, or one that ends with this program. */
async function orderingService(): Promise<{ readonly url: string; readonly end: () => void }> {
  if (ORDERING_SERVICE !== undefined) return { url: ORDERING_SERVICE, end: () => undefined };
  const program = fileURLToPath(new URL('ordering-service/main.ts', import.meta.url));
  const file = join(await mkdtemp(join(tmpdir(), 'orders-')), 'orders.jsonl');
  const child = spawn(process.execPath, [program, '0', file], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [url] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  return { url, end: () => void child.kill() };
}
