import { READABLE_MEDIA } from '#libs/payloads';
import { z } from 'zod';

/** A non-negative decimal number as text, which avoids floating point errors in prices. */
const decimalSchema = z
  .string()
  .regex(/^\d{1,9}(\.\d{1,12})?$/, 'must be a decimal number as text, e.g. "1.25"');

const prices = {
  input: decimalSchema,
  cached_input: decimalSchema,
  /** Input written to the provider's cache for 5 minutes or 1 hour; defaults to the price of `input`. */
  cache_write_5m: decimalSchema.optional(),
  cache_write_1h: decimalSchema.optional(),
  /** Also applies to reasoning tokens. */
  output: decimalSchema,
};

/** Prices per million tokens; a tenant may override them. */
export const pricingSchema = z.strictObject({
  currency: z.string().regex(/^[A-Z]{3}$/, 'must be a currency code, e.g. "USD"'),
  ...prices,
  /** Prices of a call whose prompt, with all that is read from and written into caches, exceeds `above_tokens`. */
  long_prompt: z.strictObject({ above_tokens: z.int().positive(), ...prices }).optional(),
  /** Date on which the prices were looked up. */
  as_of: z.iso.date(),
  note: z.string().min(1).optional(),
});
export type Pricing = z.infer<typeof pricingSchema>;

const named = { name: z.string().min(1), label: z.string().min(1) };

/** A parameter as a form shows it. */
export const parameterSchema = z.discriminatedUnion('type', [
  z.strictObject({ ...named, type: z.literal('int'), default: z.int(), min: z.int(), max: z.int() }),
  z.strictObject({
    ...named,
    type: z.literal('string'),
    default: z.string(),
    options: z.array(z.string()).nonempty().readonly(),
    /** True if values beside `options` are allowed. */
    open: z.boolean(),
  }),
  z.strictObject({ ...named, type: z.literal('float'), min: z.number(), max: z.number() }),
  z.strictObject({ ...named, type: z.literal('text') }),
  z.strictObject({ ...named, type: z.literal('boolean'), default: z.boolean() }),
]);

/** Features that every model must support (S1-14); text only, hence no `vision` (S1-78). */
export const MODEL_FEATURES = ['tool-call', 'multi-tool-call', 'agent-thought', 'stream-tool-call'] as const;

/** A model in `GET /api/models/`. */
export const modelDescriptionSchema = z.strictObject({
  id: z.string().trim().min(1).max(200),
  label: z.string().min(1),
  /** Value for `provider` in a configuration of this model. */
  provider: z.string().min(1),
  model_type: z.literal('llm'),
  source: z.enum(['predefined-model', 'customizable-model']),
  features: z.array(z.enum(MODEL_FEATURES)).length(MODEL_FEATURES.length),
  /** Tokens. */
  context_size: z.int().positive(),
  /** Media that the model reads natively, beside text. */
  native_media: z.array(z.enum(READABLE_MEDIA)),
  parameters: z.array(parameterSchema).nonempty().readonly(),
  /** Null if unknown; a configuration can set its own. */
  pricing: pricingSchema.nullable(),
});
export type ModelDescription = z.infer<typeof modelDescriptionSchema>;
