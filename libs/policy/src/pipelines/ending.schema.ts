import { z } from 'zod';
import type { JsonValue } from '#libs/kernel';
import { conditionSchema } from './condition.js';
import { PLACES, promptTemplate } from './kinds/step-fields.js';
import { pointersOf } from './template.js';

const MAX_RULES = 16;
const MAX_MESSAGE = 500;

const jsonTemplate = (z.json() as z.ZodType<JsonValue>).refine((value) => pointersOf(value) !== null, PLACES);

/**
 * The form of the answer: the last output as text (default) or JSON, or a template for text or JSON over the outputs of
 * all steps.
 */
export const outputFormatSchema = z.union(
  [
    z.enum(['text', 'json']),
    z.strictObject({ text: promptTemplate }),
    z.strictObject({ json: jsonTemplate }),
  ],
  'must be "text", "json", { "text": template } or { "json": JSON with places }; a place is a JSON pointer such as {{/steps/NAME}}',
);
export type OutputFormat = z.infer<typeof outputFormatSchema>;

/** Conditions on the answer, each optionally guarded by `when`; a violated one fails the execution with its message. */
export const validationRulesSchema = z
  .array(
    z.strictObject({
      require: conditionSchema,
      when: conditionSchema.optional(),
      message: z.string().min(1).max(MAX_MESSAGE),
    }),
  )
  .max(MAX_RULES);
export type ValidationRule = z.infer<typeof validationRulesSchema>[number];
