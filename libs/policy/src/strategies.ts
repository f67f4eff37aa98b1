import { strategyDescriptionSchema, type StrategyDescription } from './strategy-description.js';

/** The parameters of both strategies (S1-51 … S1-58). */
const PARAMETERS = [
  {
    name: 'model',
    label: 'Model',
    help: 'The language model that answers; it must be able to call tools.',
    type: 'model-selector',
    required: true,
    scope: 'tool-call&llm',
  },
  {
    name: 'tools',
    label: 'Tools',
    help: 'The tools that the model may call.',
    type: 'array[tools]',
    required: true,
  },
  {
    name: 'instruction',
    label: 'Instruction',
    help: 'What this agent is for and how it should go about it.',
    type: 'string',
    required: true,
    auto_generate: { type: 'prompt_instruction' },
  },
  {
    name: 'prompt_policy_overrides',
    label: 'Prompt policy overrides',
    help: 'Plain text is added after the default policies; a JSON object replaces the policies that it names.',
    type: 'string',
    required: false,
  },
  {
    name: 'context',
    label: 'Context',
    help: 'Data of this run, shown as its sources; it never becomes part of the policies.',
    type: 'any',
    required: false,
  },
  {
    name: 'query',
    label: 'Query',
    help: 'What the user says.',
    type: 'string',
    required: true,
  },
  {
    name: 'maximum_iterations',
    label: 'Maximum iterations',
    help: 'How many rounds the model may take.',
    type: 'number',
    required: true,
    default: 6,
    min: 1,
    max: 30,
  },
  {
    name: 'emit_intermediate_thoughts',
    label: 'Emit intermediate thoughts',
    help: 'Whether the user sees what the model thinks on the way.',
    type: 'boolean',
    required: false,
    default: true,
  },
];

/** The strategies in display order; the data is validated when the process starts (S0-4, S1-50). */
export const STRATEGIES: readonly StrategyDescription[] = [
  { name: 'gpt5_function_calling', label: 'GPT-5 function calling', parameters: PARAMETERS },
  // Differs in its name only: both run on one engine, without a branch (S0-16, S1-64).
  { name: 'gpt5_react', label: 'GPT-5 ReAct', parameters: PARAMETERS },
].map((strategy) => strategyDescriptionSchema.parse(strategy));
