import { z } from 'zod';
import { argumentsTemplate, stepFields, toolName } from './step-fields.js';

/** A tool of the agent is called, and no model; what the tool answers is the output of the step. */
export const toolStepSchema = z.strictObject({
  ...stepFields,
  kind: z.literal('tool'),
  tool: toolName,
  arguments: argumentsTemplate.default({}),
});
export type ToolStep = z.infer<typeof toolStepSchema>;
