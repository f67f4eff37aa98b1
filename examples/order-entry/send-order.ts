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
import { z } from 'zod';
import { createApiClient } from '../../scripts/quickstart/api-client.ts';
import { printFailures } from '../../scripts/quickstart/print-failures.ts';

printFailures();

const { API = 'http://localhost:3000', ORDERING_SERVICE, ORDERING_TOKEN = 'ordering-token' } = process.env;
const input = process.argv[2] ?? '5 cases of roma tomatoes for Friday, please';

const AGENTS = z.array(z.object({ id: z.int(), name: z.string() }));
const EXECUTION = z.object({
  id: z.string(),
  finished_at: z.string().nullable(),
  result: z
    .object({ message: z.object({ data: z.object({ savedOrderRequestId: z.int().optional() }) }) })
    .nullable(),
});
const ORDER_REQUEST = z.object({
  id: z.int(),
  status: z.string(),
  version: z.int(),
  items: z.array(z.looseObject({ item_num: z.string(), quantity: z.number(), status: z.string() })),
  sending: z
    .object({
      order_number: z.string().nullable(),
      failure: z.object({ message: z.string() }).nullable(),
    })
    .nullable(),
});

const signal = AbortSignal.timeout(120_000);
const client = createApiClient(API, signal);

const agents = await client.get('/api/agents/', AGENTS);
const agent = agents.find(({ name }) => name === 'salesAgent');
if (agent === undefined) throw new Error('there is no salesAgent: seed the example data');
let execution = await client.post(`/api/agents/${agent.id}/execute/`, { input }, EXECUTION);
while (execution.finished_at === null) {
  await pause(100);
  execution = await client.get(`/api/executions/${execution.id}/`, EXECUTION);
}
const id = execution.result?.message.data.savedOrderRequestId;
if (id === undefined) throw new Error('no order came of it');
const draft = await client.get(`/api/order-requests/${id}/`, ORDER_REQUEST);
console.log(
  `drafted: ${draft.items.map(({ item_num, quantity }) => `${quantity} × ${item_num}`).join(', ')}`,
);

// As a person would, raises the first line by one, and confirms the rest unchanged.
const items = draft.items.map((line, index) => ({
  ...line,
  quantity: line.quantity + (index === 0 ? 1 : 0),
}));
await client.patch(`/api/order-requests/${id}/`, { items, is_saved: true }, ORDER_REQUEST, draft.version);
const service = await orderingService();
try {
  await client.put('/api/ordering-service/', { url: service.url, token: ORDERING_TOKEN }, z.unknown());
  let order = await client.post(`/api/order-requests/${id}/send/`, undefined, ORDER_REQUEST);
  while (order.status === 'sending') {
    await pause(100);
    order = await client.get(`/api/order-requests/${id}/`, ORDER_REQUEST);
  }
  const { sending } = order;
  console.log(`${order.status}: ${sending?.order_number ?? sending?.failure?.message ?? 'nothing is known'}`);
  if (order.status !== 'sent') process.exitCode = 1;
} finally {
  service.end();
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
