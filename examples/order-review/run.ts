// Has reviewerAgent review a draft order, and shows its findings. Exits with 1 if a person must check the draft.
//   npm run example -- order-review examples/order-review/drafts/two-lines.json
import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { createApiClient } from '../../scripts/quickstart/api-client.ts';
import { printFailures } from '../../scripts/quickstart/print-failures.ts';

printFailures();

const { API = 'http://localhost:3000' } = process.env;
const [path = 'examples/order-review/drafts/two-lines.json'] = process.argv.slice(2);

const AGENTS = z.array(z.object({ id: z.int(), name: z.string(), llm: z.int() }));
const MADE = z.object({ id: z.int() });
const REVIEW = z.object({
  message: z.string(),
  reviewerAgentOutput: z.object({
    verdict: z.enum(['approved', 'needs_person']),
    findings: z.array(z.object({ line: z.int().nullable(), problem: z.string() })),
  }),
});
const EXECUTION = z.object({
  id: z.string(),
  status: z.string(),
  finished_at: z.string().nullable(),
  error: z.object({ message: z.string() }).nullable(),
  result: z.object({ message: z.object({ content: z.string() }) }).nullable(),
});

/** The answer must be JSON that fits the schema; otherwise the reviewer is asked once more. */
const STEP = {
  name: 'review',
  kind: 'agent',
  prompt: 'Review this draft. The first part of the input is the order, the second its draft.\n\n{{/input}}',
  output_schema: z.toJSONSchema(REVIEW, { target: 'draft-7' }),
};

const client = createApiClient(API, AbortSignal.timeout(300_000));
const reviewer = (await client.get('/api/agents/', AGENTS)).find(({ name }) => name === 'reviewerAgent');
if (reviewer === undefined) throw new Error('there is no agent reviewerAgent: run migrate --seed');
const checker = await client.post(
  '/api/agents/',
  {
    name: 'Draft checker',
    usecase_type: 'CUSTOM',
    llm: reviewer.llm,
    config: { steps: [{ ...STEP, agent: reviewer.id }], output_format: 'json' },
  },
  MADE,
);

const { order, draft } = z
  .object({ order: z.string(), draft: z.json() })
  .parse(JSON.parse(readFileSync(path, 'utf8')));
const input = `<order>\n${order}\n</order>\n<draft>\n${JSON.stringify(draft)}\n</draft>`;
let execution = await client.post(`/api/agents/${checker.id}/execute/`, { input }, EXECUTION);
while (execution.finished_at === null) {
  await pause(100);
  execution = await client.get(`/api/executions/${execution.id}/`, EXECUTION);
}
if (execution.result === null) throw new Error(execution.error?.message ?? execution.status);
const { message, reviewerAgentOutput } = REVIEW.parse(JSON.parse(execution.result.message.content));
console.log(`${reviewerAgentOutput.verdict}: ${message}`);
for (const { line, problem } of reviewerAgentOutput.findings)
  console.log(`- ${line === null ? 'the order' : `line ${line}`}: ${problem}`);
process.exitCode = reviewerAgentOutput.verdict === 'approved' ? 0 : 1;
