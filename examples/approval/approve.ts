// Has the order entry agent take an order, and decides on its calls as a person would.
//   npm run example -- approval "5 cases of roma tomatoes" [--refuse "why"]
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { createApiClient } from '../../scripts/quickstart/api-client.ts';
import { printFailures } from '../../scripts/quickstart/print-failures.ts';
import { runWithDecisions } from './decide-calls.ts';

printFailures();

const { API = 'http://localhost:3000' } = process.env;
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { refuse: { type: 'string' } },
});
const input = positionals[0] ?? '5 cases of roma tomatoes for Friday, please';

const client = createApiClient(API, AbortSignal.timeout(300_000));
const agents = await client.get('/api/agents/', z.array(z.object({ id: z.int(), name: z.string() })));
const sales = agents.find(({ name }) => name === 'salesAgent');
if (sales === undefined) throw new Error('there is no salesAgent: npm run db:migrate -- --seed makes it');

const request = { input, options: { require_approval: ['save_order_draft'] } };
const { content, data } = await runWithDecisions(client, sales.id, request, ({ tool_name, tool_input }) => {
  console.log(
    `${values.refuse === undefined ? 'agreed' : 'refused'}: ${tool_name} ${JSON.stringify(tool_input)}`,
  );
  return values.refuse ?? null;
});
console.log(`${content}\n${JSON.stringify(data)}`);
