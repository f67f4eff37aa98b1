import { createZodDto } from '../http/zod-dto.js';
import { z } from 'zod';
import { modelDescriptionSchema } from '#libs/model-providers';

const credentialFieldSchema = z.object({
  variable: z.string(),
  label: z.string(),
  type: z.enum(['secret-input', 'text-input']),
  required: z.boolean(),
  default: z.string().optional(),
});

const providerSchema = z.object({
  id: z.string(),
  label: z.string(),
  supported_model_types: z.array(z.string()).readonly(),
  configurate_methods: z.array(z.string()).readonly(),
  provider_credential_schema: z.array(credentialFieldSchema).readonly(),
  model_credential_schema: z.array(credentialFieldSchema).readonly(),
});

export class ModelListDto extends createZodDto(
  z.object({
    data: z.array(modelDescriptionSchema),
    providers: z.array(providerSchema).describe('Who can be asked, and what each needs to be filled in.'),
  }),
) {}
