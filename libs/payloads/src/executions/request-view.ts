import { z } from 'zod';
import { jsonObjectSchema } from '../json-schemas.js';
import { executorSchema } from './executor.js';

/** Characters of an `input` that lists show. */
export const LISTED_INPUT_CHARACTERS = 500;

/** The request of an execution, as those see it who read the execution. */
export const requestViewSchema = z.object({
  input: z
    .string()
    .describe(
      `The message of the user. Whole where one execution is read; in lists its first ${LISTED_INPUT_CHARACTERS} characters.`,
    ),
  input_truncated: z.boolean().describe('Whether `input` goes on. False where one execution is read.'),
  executor: executorSchema
    .nullable()
    .describe('The person on whose behalf the agent acts; null where the request named none.'),
  options: jsonObjectSchema.describe('`options` of the request, without those of the agent and its model.'),
  model: z
    .string()
    .nullable()
    .describe(
      'The model that the execution asks for, fixed with its first model call; null before, and where its agent asks none.',
    ),
});
export type RequestView = z.infer<typeof requestViewSchema>;
