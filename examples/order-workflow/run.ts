// Has orderEntryWorkflow take an order, and shows the output of each step and the report.
//   npm run example -- order-workflow [ORDER.txt] [--file PATH] [--account NUMBER]
import { openAsBlob, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { parseArgs } from 'node:util';
import { Capstan, CapstanError } from 'capstan/client';

process.on('uncaughtException', (error) => {
  console.error(error instanceof CapstanError ? error.message : error);
  process.exit(1);
});

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { file: { type: 'string' }, account: { type: 'string' } },
});
const [text = new URL('texts/email.txt', import.meta.url)] = positionals;

// By CAPSTAN_BASE_URL and CAPSTAN_API_KEY.
const client = new Capstan();
const attachments = values.file === undefined ? [] : [{ id: await upload(values.file) }];
const additional_data = {
  ...(attachments.length > 0 && { attachments }),
  ...(values.account !== undefined && { customerAccountNumber: Number(values.account) }),
};
const input = readFileSync(text, 'utf8').trim();
const { execution } = await client.run(
  await findAgent('orderEntryWorkflow'),
  { input, additional_data },
  {
    onEvent: (event) => {
      if (event.event === 'tool_result') console.log(`done: ${event.data.tool_use_id}`);
    },
  },
);
const { message } = execution.result ?? {};
console.log(`\n${message?.content}`);
const report = message?.data['outputReport'];
if (report !== undefined) console.log(`\n${JSON.stringify(report, null, 2)}`);

async function upload(path: string): Promise<string> {
  const file = new File([await openAsBlob(path)], basename(path));
  return (await client.files.upload({ file })).id;
}

async function findAgent(wanted: string): Promise<number> {
  for await (const { id, name } of client.agents.list()) if (name === wanted) return id;
  throw new Error(`there is no agent ${wanted}: run migrate --seed`);
}
