import { z } from 'zod';
import { scopeLimitsSchema } from '../../scope-limits.js';
import { anyObject, promptTemplate, retry, stepFields, toolName } from './step-fields.js';

const MOST_TOOLS = 128;

/** What is asked of a loop, whoever turns it. */
export const askFields = {
  prompt: promptTemplate,
  /** JSON Schema of the answer, which is JSON then; asked for once more where it does not fit. */
  output_schema: anyObject.optional(),
  limits: scopeLimitsSchema.optional(),
};

export const llmFields = {
  kind: z.literal('llm'),
  ...askFields,
  /** Of the agent's tools, those that it may call; by default all of them. */
  tools: z.array(toolName).max(MOST_TOOLS).optional(),
  /** Whether its model reads the files that came with the request. */
  attachments: z.boolean().optional(),
};

/** The model of the agent is asked, in a loop of its own; what it answers is the output of the step. */
export const llmStepSchema = z.strictObject({ ...stepFields, retry, ...llmFields });
export type LlmStep = z.infer<typeof llmStepSchema>;
