import { z } from 'zod';
import type { ModelProvider } from '../provider/model-provider.js';
import type { ModelAliases } from '../provider/resolve-alias.js';
import { parameterSchema } from './model-description.js';

const credentialFieldSchema = z.object({
  variable: z.string(),
  label: z.string(),
  type: z.enum(['secret-input', 'text-input']),
  required: z.boolean(),
  default: z.string().optional(),
});

/** A model provider as shown in forms (S1-6). */
export const providerDescriptionSchema = z.object({
  id: z.string().describe('Value for `provider` of a model configuration.'),
  label: z.string(),
  supported_model_types: z.array(z.string()),
  configurate_methods: z.array(z.string()),
  provider_credential_schema: z.array(credentialFieldSchema),
  model_credential_schema: z.array(credentialFieldSchema),
  aliases: z
    .record(z.string(), z.string())
    .describe('Short names of models, each with the id that it stands for.'),
  parameters: z.array(parameterSchema).describe('Parameters of a model that is not in the catalogue.'),
});
type ProviderDescription = z.infer<typeof providerDescriptionSchema>;

export function describeProvider(
  { id, label, credentials, parameters, models, aliases: own }: ModelProvider,
  aliases: ModelAliases = own,
): ProviderDescription {
  const fields = credentials.fields.map((field) => ({ ...field }));
  return providerDescriptionSchema.parse({
    id,
    label,
    supported_model_types: ['llm'],
    configurate_methods: [...(models.length > 0 ? ['predefined-model'] : []), 'customizable-model'],
    provider_credential_schema: fields,
    model_credential_schema: fields,
    aliases,
    parameters: [...parameters.described],
  });
}
