import { z } from 'zod';
import { argumentsTemplate, retry, stepFields, toolName } from './step-fields.js';

export const toolFields = {
  kind: z.literal('tool'),
  tool: toolName,
  arguments: argumentsTemplate.default({}),
};

/** Calls one of the agent's tools without a model; the tool's result is the step's output. */
export const toolStepSchema = z.strictObject({ ...stepFields, retry, ...toolFields });
export type ToolStep = z.infer<typeof toolStepSchema>;
