// Has orderEntryWorkflow take an order, and shows the output of each step and the report.
//   npm run example -- order-workflow examples/order-entry/texts/05-typo.txt [--file PATH] [--account NUMBER]
import { openAsBlob, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { createApiClient } from '../../scripts/quickstart/api-client.ts';
import { followExecution } from '../../scripts/quickstart/follow-execution.ts';
import { printFailures } from '../../scripts/quickstart/print-failures.ts';

printFailures();

const { API = 'http://localhost:3000' } = process.env;
const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { file: { type: 'string' }, account: { type: 'string' } },
});
const [text = 'examples/order-entry/texts/01-email-english.txt'] = positionals;

const AGENTS = z.array(z.object({ id: z.int(), name: z.string() }));
const ACCEPTED = z.object({ id: z.string() });
const STEP = z.object({ data: z.object({ tool_use_id: z.string() }) });
const REPORT = z.object({
  orderRequestId: z.int().nullable(),
  readyLines: z.int(),
  openLines: z.int(),
  review: z.object({ verdict: z.string(), findings: z.array(z.object({ problem: z.string() })) }).nullable(),
});
const SETTLED = z.object({
  status: z.string(),
  error: z.object({ message: z.string() }).nullable(),
  result: z
    .object({
      message: z.object({ content: z.string(), data: z.object({ outputReport: REPORT.optional() }) }),
    })
    .nullable(),
});

const signal = AbortSignal.timeout(300_000);
const client = createApiClient(API, signal);
const agent = (await client.get('/api/agents/', AGENTS)).find(({ name }) => name === 'orderEntryWorkflow');
if (agent === undefined) throw new Error('there is no agent orderEntryWorkflow: run migrate --seed');

const attachments = values.file === undefined ? [] : [{ id: await upload(values.file) }];
const additional_data = {
  ...(attachments.length > 0 && { attachments }),
  ...(values.account !== undefined && { customerAccountNumber: Number(values.account) }),
};
const input = readFileSync(text, 'utf8').trim();
const { id } = await client.post(`/api/agents/${agent.id}/execute/`, { input, additional_data }, ACCEPTED);

for await (const event of followExecution(client, id, signal)) {
  const step = event.event === 'tool_result' ? STEP.safeParse(event).data : undefined;
  if (step !== undefined) console.log(`done: ${step.data.tool_use_id}`);
}
const { status, error, result } = await client.get(`/api/executions/${id}/`, SETTLED);
if (result === null) throw new Error(error?.message ?? status);
console.log(`\n${result.message.content}`);
const { outputReport: report } = result.message.data;
if (report !== undefined) console.log(`\n${JSON.stringify(report, null, 2)}`);

async function upload(path: string): Promise<string> {
  const form = new FormData();
  form.append('file', await openAsBlob(path), basename(path));
  return (await client.postForm('/api/files/', form, ACCEPTED)).id;
}
