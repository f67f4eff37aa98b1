import { z } from 'zod';
import { scopeLimitsSchema } from '../../scope-limits.js';
import { anyObject, promptTemplate, stepFields, toolName } from './step-fields.js';

const MOST_TOOLS = 128;

/** The model of the agent is asked, in a loop of its own; what it answers is the output of the step. */
export const llmStepSchema = z.strictObject({
  ...stepFields,
  kind: z.literal('llm'),
  prompt: promptTemplate,
  /** Of the agent's tools, those that it may call; by default all of them. */
  tools: z.array(toolName).max(MOST_TOOLS).optional(),
  /** JSON Schema of the answer, which is JSON then; asked for once more where it does not fit. */
  output_schema: anyObject.optional(),
  limits: scopeLimitsSchema.optional(),
});
export type LlmStep = z.infer<typeof llmStepSchema>;
