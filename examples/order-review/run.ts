// Has reviewerAgent review a draft order, and shows its findings. Exits with 1 if a person must check the draft.
//   npm run example -- order-review [DRAFT.json]
import { readFileSync } from 'node:fs';
import { Capstan, CapstanError } from 'capstan/client';
import { z } from 'zod';

process.on('uncaughtException', (error) => {
  console.error(error instanceof CapstanError ? error.message : error);
  process.exit(1);
});

const path = process.argv[2] ?? new URL('drafts/two-lines.json', import.meta.url);

const REVIEW = z.object({
  message: z.string(),
  reviewerAgentOutput: z.object({
    verdict: z.enum(['approved', 'needs_person']),
    findings: z.array(z.object({ line: z.int().nullable(), problem: z.string() })),
  }),
});

/** The answer must be JSON that fits the schema; otherwise the reviewer is asked once more. */
const STEP = {
  name: 'review',
  kind: 'agent',
  prompt: 'Review this draft. The first part of the input is the order, the second its draft.\n\n{{/input}}',
  output_schema: z.toJSONSchema(REVIEW, { target: 'draft-7' }),
};

// By CAPSTAN_BASE_URL and CAPSTAN_API_KEY.
const client = new Capstan();
const reviewer = await findReviewer();
const checker = await client.agents.create({
  name: 'Draft checker',
  usecase_type: 'CUSTOM',
  llm: reviewer.llm,
  config: { steps: [{ ...STEP, agent: reviewer.id }], output_format: 'json' },
});

const { order, draft } = z
  .object({ order: z.string(), draft: z.json() })
  .parse(JSON.parse(readFileSync(path, 'utf8')));
const input = `<order>\n${order}\n</order>\n<draft>\n${JSON.stringify(draft)}\n</draft>`;
const run = await client.run(checker.id, input, { output: REVIEW });
if (run.status !== 'completed') throw new Error('the review waits for a person');
const { message, reviewerAgentOutput } = run.output;
console.log(`${reviewerAgentOutput.verdict}: ${message}`);
for (const { line, problem } of reviewerAgentOutput.findings)
  console.log(`- ${line === null ? 'the order' : `line ${line}`}: ${problem}`);
process.exitCode = reviewerAgentOutput.verdict === 'approved' ? 0 : 1;

async function findReviewer(): Promise<{ readonly id: number; readonly llm: number }> {
  for await (const agent of client.agents.list()) if (agent.name === 'reviewerAgent') return agent;
  throw new Error('there is no agent reviewerAgent: run migrate --seed');
}
