import { z } from 'zod';
import { JSON_POINTER } from '../json-pointer.js';
import { agentFields } from './agent-step.schema.js';
import { llmFields } from './llm-step.schema.js';
import { retry, stepFields } from './step-fields.js';
import { toolFields } from './tool-step.schema.js';

/** Items of one map: each is a call of one round. */
const MOST_ITEMS = 64;
const MOST_AT_ONCE = 8;

/** Does the same for every item of a list; its output is the list of what each came to. */
export const mapStepSchema = z.strictObject({
  ...stepFields,
  kind: z.literal('map'),
  over: z.string().regex(JSON_POINTER, 'must be a JSON pointer such as /steps/NAME/items'),
  do: z.discriminatedUnion(
    'kind',
    [z.strictObject(llmFields), z.strictObject(toolFields), z.strictObject(agentFields)],
    { error: 'must be llm, tool or agent' },
  ),
  max_items: z.int().min(1).max(MOST_ITEMS).default(MOST_ITEMS),
  /** How many run at once; unsafe tools never do. */
  concurrency: z.int().min(1).max(MOST_AT_ONCE).default(1),
  retry,
});
export type MapStep = z.infer<typeof mapStepSchema>;
