import { z } from 'zod';
import { modelProviders, pricingSchema } from '#libs/model-providers';
import { jsonObjectSchema, llmValidationSchema, optionsSchema } from '#libs/payloads';
import { pageExample, pageQuerySchema, pageSchema } from '../http/page.js';
import { idSchema } from '../http/request-values.js';
import { createZodDto } from '../http/zod-dto.js';

/** Credential fields of each provider (S1-7 … S1-11); they are trimmed, completed and clamped before storage. */
const credentialsSchema = modelProviders.credentialsSchema();
export type LlmCredentials = Readonly<Record<string, unknown>>;

const fields = {
  name: z.string().trim().min(1).max(100).describe('Display name.'),
  provider: z.enum(modelProviders.ids).describe('Provider of the model; see /api/models/.'),
  model: z
    .string()
    .trim()
    .min(1)
    .max(200)
    .describe('The model’s id as the provider knows it; see /api/models/.'),
  credentials: credentialsSchema,
  extra: optionsSchema.describe('Model parameters; those of agent and request take precedence.'),
  pricing: pricingSchema
    .nullable()
    .describe('Your own prices per million tokens; the catalogue’s when null.'),
  is_active: z.boolean().describe('Agents cannot use an inactive configuration.'),
};

/** A complete model configuration; omitted fields take their defaults. */
const llmFieldsSchema = z.strictObject({
  ...fields,
  provider: fields.provider.default(modelProviders.defaultId),
  credentials: fields.credentials.default({}),
  extra: fields.extra.default({}),
  pricing: fields.pricing.default(null),
  is_active: fields.is_active.default(true),
});
const { credentials: form, models } = modelProviders.get(modelProviders.defaultId);
const EXAMPLE_FIELDS = {
  name: 'Our account',
  provider: modelProviders.defaultId,
  model: models[0]?.id ?? 'a-model',
};
export class LlmFieldsDto extends createZodDto(llmFieldsSchema, {
  ...EXAMPLE_FIELDS,
  credentials: { [form.keyField]: 'sk-0123456789' },
}) {}
export class LlmPatchDto extends createZodDto(z.strictObject(fields).partial(), {
  extra: { temperature: 0.2 },
}) {}

const llmSchema = z.object({
  ...fields,
  id: z.int(),
  credentials: jsonObjectSchema.describe('The credentials without the key.'),
  api_key_hint: z.string().nullable().describe('The last four characters of its own key.'),
  pricing: jsonObjectSchema.nullable(),
  provider: z.string(),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
});
const EXAMPLE: z.input<typeof llmSchema> = {
  ...EXAMPLE_FIELDS,
  id: 1,
  credentials: {},
  extra: {},
  pricing: null,
  is_active: true,
  api_key_hint: '6789',
  created_at: '2026-11-22T09:00:00.000Z',
  updated_at: '2026-11-22T09:00:00.000Z',
};
export class LlmDto extends createZodDto(llmSchema, EXAMPLE) {}
export class LlmPageDto extends createZodDto(pageSchema(llmSchema), pageExample(EXAMPLE)) {}

/** Outcome of a trial call with a model configuration (S1-37, S1-38). */
export class LlmValidationDto extends createZodDto(llmValidationSchema, {
  valid: false,
  outcome: 'unknown_model',
  checks: [
    { name: 'provider', ok: true, reason: null, message: null },
    { name: 'model', ok: false, reason: 'refused', message: 'there is no such model' },
  ],
}) {}

export class LlmIdParams extends createZodDto(
  z.object({ id: idSchema.describe('The id of the model configuration.') }),
) {}
export class LlmListQuery extends createZodDto(pageQuerySchema(idSchema)) {}
