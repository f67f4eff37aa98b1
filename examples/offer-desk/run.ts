// Runs a pipeline agent that makes an offer, and shows the output of each step.
//   npm run example -- offer-desk "roma tomatoes"
import { Capstan, CapstanError } from 'capstan/client';
import { OUTPUT_FORMAT, STEPS, VALIDATION_RULES } from './steps.ts';

process.on('uncaughtException', (error) => {
  console.error(error instanceof CapstanError ? error.message : error);
  process.exit(1);
});

// A simulator model that repeats its input; with an API key use, for example, gpt-5-mini.
const { CHAT_MODEL = 'sim-echo' } = process.env;
const input = process.argv[2] ?? 'roma tomatoes';

// By CAPSTAN_BASE_URL and CAPSTAN_API_KEY.
const client = new Capstan();
const llm = await client.llms.create({ name: 'Offer desk', model: CHAT_MODEL });
const agent = await client.agents.create({
  name: 'Offer desk',
  usecase_type: 'CUSTOM',
  llm: llm.id,
  system_prompt: 'You write for a wholesaler of food. Be brief.',
  tools: { builtin: ['search_items'] },
  config: { steps: STEPS, output_format: OUTPUT_FORMAT, validation_rules: VALIDATION_RULES },
});
const { execution } = await client.run(agent.id, input);
const { working_memory: outputs } = await client.executions.getWorkingMemory(execution.id);
for (const [step, output] of Object.entries(outputs)) console.log(`${step}: ${JSON.stringify(output)}`);
console.log(`\n${execution.result?.message.content}`);
