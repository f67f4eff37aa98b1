import { z } from 'zod';
import { JSON_POINTER } from '../json-pointer.js';
import { agentFields } from './agent-step.schema.js';
import { llmFields } from './llm-step.schema.js';
import { retry, stepFields } from './step-fields.js';
import { toolFields } from './tool-step.schema.js';

/** Maximum items of one map: each is a call of one round. */
const MAX_ITEMS = 64;
const MAX_AT_ONCE = 8;

/** Runs the inner step for each item of a list; the output is the list of their outputs. */
export const mapStepSchema = z.strictObject({
  ...stepFields,
  kind: z.literal('map'),
  over: z.string().regex(JSON_POINTER, 'must be a JSON pointer such as /steps/NAME/items'),
  do: z.discriminatedUnion(
    'kind',
    [z.strictObject(llmFields), z.strictObject(toolFields), z.strictObject(agentFields)],
    { error: 'must be llm, tool or agent' },
  ),
  max_items: z.int().min(1).max(MAX_ITEMS).default(MAX_ITEMS),
  /** Maximum items in parallel; unsafe tools run one at a time. */
  concurrency: z.int().min(1).max(MAX_AT_ONCE).default(1),
  retry,
});
export type MapStep = z.infer<typeof mapStepSchema>;
