// Runs a pipeline agent that makes an offer, and shows the output of each step.
//   npm run example -- offer-desk "roma tomatoes"
import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { createApiClient } from '../../scripts/quickstart/api-client.ts';
import { printFailures } from '../../scripts/quickstart/print-failures.ts';
import { OUTPUT_FORMAT, STEPS, VALIDATION_RULES } from './steps.ts';

printFailures();

const {
  API = 'http://localhost:3000',
  // A simulator model that repeats its input; with an API key use, for example, gpt-5-mini.
  CHAT_MODEL = 'sim-echo',
} = process.env;
const input = process.argv[2] ?? 'roma tomatoes';

const MADE = z.object({ id: z.int() });
const EXECUTION = z.object({
  id: z.string(),
  status: z.string(),
  finished_at: z.string().nullable(),
  error: z.object({ message: z.string() }).nullable(),
  result: z.object({ message: z.object({ content: z.string() }) }).nullable(),
});
const MEMORY = z.object({ working_memory: z.record(z.string(), z.unknown()) });

const client = createApiClient(API, AbortSignal.timeout(300_000));
const llm = await client.post('/api/llms/', { name: 'Offer desk', model: CHAT_MODEL }, MADE);
const agent = await client.post(
  '/api/agents/',
  {
    name: 'Offer desk',
    usecase_type: 'CUSTOM',
    llm: llm.id,
    system_prompt: 'You write for a wholesaler of food. Be brief.',
    tools: { builtin: ['search_items'] },
    config: { steps: STEPS, output_format: OUTPUT_FORMAT, validation_rules: VALIDATION_RULES },
  },
  MADE,
);

let execution = await client.post(`/api/agents/${agent.id}/execute/`, { input }, EXECUTION);
while (execution.finished_at === null) {
  await pause(100);
  execution = await client.get(`/api/executions/${execution.id}/`, EXECUTION);
}
const { working_memory: outputs } = await client.get(
  `/api/executions/${execution.id}/working-memory/`,
  MEMORY,
);
for (const [step, output] of Object.entries(outputs)) console.log(`${step}: ${JSON.stringify(output)}`);
if (execution.result === null) throw new Error(execution.error?.message ?? execution.status);
console.log(`\n${execution.result.message.content}`);
