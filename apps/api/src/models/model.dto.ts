import { createZodDto } from '../http/zod-dto.js';
import { z } from 'zod';
import { modelDescriptionSchema, providerDescriptionSchema } from '#libs/model-providers';

export class ModelListDto extends createZodDto(
  z.object({
    data: z.array(modelDescriptionSchema),
    providers: z
      .array(providerDescriptionSchema)
      .describe('Who can be asked, what each needs to be filled in, and what its calls understand.'),
  }),
) {}
