import { z } from 'zod';
import { jsonObjectSchema } from '../json-schemas.js';
import { executorSchema } from './executor.js';

/** Characters of an `input` that lists show. */
export const LISTED_INPUT_CHARACTERS = 500;

/** The request of an execution, as those see it who read the execution. */
export const requestViewSchema = z.object({
  input: z
    .string()
    .describe(`The message of the user; in lists only its first ${LISTED_INPUT_CHARACTERS} characters.`),
  input_truncated: z.boolean().describe('True if `input` was cut, in lists only.'),
  executor: executorSchema
    .nullable()
    .describe('The person on whose behalf the agent acts; null if the request named none.'),
  options: jsonObjectSchema.describe('`options` of the request, without those of the agent and its model.'),
  model: z
    .string()
    .nullable()
    .describe(
      'Model of the execution, fixed with its first model call; null before, and if its agent calls none.',
    ),
});
export type RequestView = z.infer<typeof requestViewSchema>;
