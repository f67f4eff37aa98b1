// Has the order entry agent take an order, and decides on its calls as a person would.
//   npm run example -- approval "5 cases of roma tomatoes" [--refuse "why"]
import { parseArgs } from 'node:util';
import { Capstan, CapstanError } from 'capstan/client';

process.on('uncaughtException', (error) => {
  console.error(error instanceof CapstanError ? error.message : error);
  process.exit(1);
});

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { refuse: { type: 'string' } },
});
const input = positionals[0] ?? '5 cases of roma tomatoes for Friday, please';

// By CAPSTAN_BASE_URL and CAPSTAN_API_KEY.
const client = new Capstan();
const request = { input, options: { require_approval: ['save_order_draft'] } };
let { execution } = await client.run(await findAgent('salesAgent'), request);
while (execution.status === 'requires_action') {
  for (const { tool_name, tool_input } of execution.required_action?.calls ?? [])
    console.log(
      `${values.refuse === undefined ? 'agreed' : 'refused'}: ${tool_name} ${JSON.stringify(tool_input)}`,
    );
  if (values.refuse === undefined) await client.executions.approve(execution.id);
  else await client.executions.reject(execution.id, { reason: values.refuse });
  execution = await client.executions.wait(execution.id);
}
const { result, error, status } = execution;
if (result === null) throw new Error(`the execution is ${status}: ${error?.message ?? 'no reason given'}`);
console.log(`${result.message.content}\n${JSON.stringify(result.message.data)}`);

async function findAgent(wanted: string): Promise<number> {
  for await (const { id, name } of client.agents.list()) if (name === wanted) return id;
  throw new Error(`there is no ${wanted}: the service needs the project examples/order-entry`);
}
