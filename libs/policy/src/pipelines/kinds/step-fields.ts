import { isJsonObject, type JsonObject } from '#libs/kernel';
import { z } from 'zod';
import { conditionSchema } from '../condition.js';
import { pointersOf } from '../template.js';

const MAX_PROMPT_CHARS = 20_000;
const NAME = 'must be a name: a letter, then at most 63 letters, digits, _ or -';
export const PLACES = 'has a place that is no JSON pointer such as {{/input}} or {{/steps/NAME}}';

export const stepName = z.string().regex(/^[a-zA-Z][a-zA-Z0-9_-]{0,63}$/, NAME);
export const toolName = z.string().regex(/^[a-zA-Z0-9_-]{1,64}$/, 'must be the name of a tool');
export const anyObject = z.custom<JsonObject>(isJsonObject, 'must be a JSON object');

/** A text with placeholders. */
export const promptTemplate = z
  .string()
  .min(1)
  .max(MAX_PROMPT_CHARS)
  .refine((text) => pointersOf(text) !== null, PLACES);

/** A JSON object with placeholders in its strings. */
export const argumentsTemplate = anyObject.refine((template) => pointersOf(template) !== null, PLACES);

/** Maximum attempts at a step in total; a retry happens only if nothing but reads has begun. */
export const retry = z.strictObject({ max_attempts: z.int().min(1).max(5) }).optional();

/** Fields of every step. */
export const stepFields = {
  name: stepName,
  /** The step is skipped if this condition is false. */
  when: conditionSchema.optional(),
};
