import { z } from 'zod';
import { argumentsTemplate, retry, stepFields, toolName } from './step-fields.js';

export const toolFields = {
  kind: z.literal('tool'),
  tool: toolName,
  arguments: argumentsTemplate.default({}),
};

/** A tool of the agent is called, and no model; what the tool answers is the output of the step. */
export const toolStepSchema = z.strictObject({ ...stepFields, retry, ...toolFields });
export type ToolStep = z.infer<typeof toolStepSchema>;
