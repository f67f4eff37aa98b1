// A customer's order, a person's correction and confirmation, and the order in the ordering service.
//   node examples/order-entry/send-order.ts
import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { createApiClient } from '../../scripts/quickstart/api-client.ts';
import { printFailures } from '../../scripts/quickstart/print-failures.ts';

printFailures();

const {
  API = 'http://localhost:3000',
  ORDERING_SERVICE = 'http://127.0.0.1:4020/orders',
  ORDERING_TOKEN = 'ordering-token',
} = process.env;
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

/** What the client of the examples does not do: other methods, and the version that a change is meant for. */
async function ask(method: string, path: string, body?: object, ifMatch?: number): Promise<unknown> {
  const answer = await fetch(new URL(path, API), {
    method,
    headers: {
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(ifMatch !== undefined && { 'if-match': `"${ifMatch}"` }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    signal,
  });
  if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${await answer.text()}`);
  return answer.json();
}

// A person raises the first line by one, and confirms the rest as it is.
const items = draft.items.map((line, index) => ({
  ...line,
  quantity: line.quantity + (index === 0 ? 1 : 0),
}));
const confirmed = ORDER_REQUEST.parse(
  await ask('PATCH', `/api/order-requests/${id}/`, { items, is_saved: true }, draft.version),
);
await ask('PUT', '/api/ordering-service/', { url: ORDERING_SERVICE, token: ORDERING_TOKEN });
let order = ORDER_REQUEST.parse(
  await ask('POST', `/api/order-requests/${id}/send/`, undefined, confirmed.version),
);
while (order.status === 'sending') {
  await pause(100);
  order = await client.get(`/api/order-requests/${id}/`, ORDER_REQUEST);
}
const { sending } = order;
console.log(`${order.status}: ${sending?.order_number ?? sending?.failure?.message ?? 'nothing is known'}`);
if (order.status !== 'sent') process.exitCode = 1;
