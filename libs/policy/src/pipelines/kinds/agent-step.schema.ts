import { z } from 'zod';
import { askFields } from './llm-step.schema.js';
import { retry, stepFields } from './step-fields.js';

export const agentFields = {
  kind: z.literal('agent'),
  /** The id of an active agent. */
  agent: z.int().min(1),
  ...askFields,
};

/** Calls another agent with its own model, prompt and tools; its answer is the step's output. */
export const agentStepSchema = z.strictObject({ ...stepFields, retry, ...agentFields });
export type AgentStep = z.infer<typeof agentStepSchema>;
