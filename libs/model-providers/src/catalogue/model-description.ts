import { READABLE_MEDIA } from '#libs/payloads';
import { z } from 'zod';

/** A non-negative decimal number as text: prices are never floating point. */
const decimalSchema = z
  .string()
  .regex(/^\d{1,9}(\.\d{1,12})?$/, 'must be a decimal number as text, e.g. "1.25"');

/** Prices per million tokens of each kind; a tenant may replace them by its own. */
export const pricingSchema = z.strictObject({
  currency: z.string().regex(/^[A-Z]{3}$/, 'must be a currency code, e.g. "USD"'),
  input: decimalSchema,
  cached_input: decimalSchema,
  /**
   * Input that is written into a cache for five minutes, or an hour; where a provider asks nothing more, it is as other
   * input.
   */
  cache_write_5m: decimalSchema.optional(),
  cache_write_1h: decimalSchema.optional(),
  /** Reasoning tokens are billed as output. */
  output: decimalSchema,
  /** The day on which these prices were looked up. */
  as_of: z.iso.date(),
  note: z.string().min(1).optional(),
});
export type Pricing = z.infer<typeof pricingSchema>;

const named = { name: z.string().min(1), label: z.string().min(1) };

/** One parameter as a form shows it. */
export const parameterSchema = z.discriminatedUnion('type', [
  z.strictObject({ ...named, type: z.literal('int'), default: z.int(), min: z.int(), max: z.int() }),
  z.strictObject({
    ...named,
    type: z.literal('string'),
    default: z.string(),
    options: z.array(z.string()).nonempty().readonly(),
    /** May the value be something else than one of `options`? */
    open: z.boolean(),
  }),
  z.strictObject({ ...named, type: z.literal('float'), min: z.number(), max: z.number() }),
  z.strictObject({ ...named, type: z.literal('text') }),
  z.strictObject({ ...named, type: z.literal('boolean'), default: z.boolean() }),
]);

/** What every model must be able to do (S1-14); text only, so there is no `vision` (S1-78). */
export const MODEL_FEATURES = ['tool-call', 'multi-tool-call', 'agent-thought', 'stream-tool-call'] as const;

/** A model as `GET /api/models/` shows it. */
export const modelDescriptionSchema = z.strictObject({
  id: z.string().trim().min(1).max(200),
  label: z.string().min(1),
  /** What `provider` of a configuration of this model says. */
  provider: z.string().min(1),
  model_type: z.literal('llm'),
  source: z.enum(['predefined-model', 'customizable-model']),
  features: z.array(z.enum(MODEL_FEATURES)).length(MODEL_FEATURES.length),
  /** Tokens. */
  context_size: z.int().positive(),
  /** What it reads as it is, beside texts. */
  native_media: z.array(z.enum(READABLE_MEDIA)),
  parameters: z.array(parameterSchema).nonempty().readonly(),
  /** Null where nobody knows: set your own. */
  pricing: pricingSchema.nullable(),
});
export type ModelDescription = z.infer<typeof modelDescriptionSchema>;
