import { z } from 'zod';
import { scopeLimitsSchema } from '../../scope-limits.js';
import { anyObject, promptTemplate, retry, stepFields, toolName } from './step-fields.js';

const MAX_TOOLS = 128;

/** Fields of a step that runs a loop, by the pipeline's own model or another agent. */
export const askFields = {
  prompt: promptTemplate,
  /** JSON Schema of the answer, which is then JSON; an invalid answer is requested once more. */
  output_schema: anyObject.optional(),
  limits: scopeLimitsSchema.optional(),
};

export const llmFields = {
  kind: z.literal('llm'),
  ...askFields,
  /** Subset of the agent's tools that the step may call; default all. */
  tools: z.array(toolName).max(MAX_TOOLS).optional(),
  /** Whether the model reads the request's attachments. */
  attachments: z.boolean().optional(),
};

/** Runs the agent's model in a loop of its own; the answer is the step's output. */
export const llmStepSchema = z.strictObject({ ...stepFields, retry, ...llmFields });
export type LlmStep = z.infer<typeof llmStepSchema>;
