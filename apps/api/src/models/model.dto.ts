import { createZodDto } from 'nestjs-zod';
import { z } from 'zod';
import { modelDescriptionSchema } from '#libs/model-providers';

export class ModelListDto extends createZodDto(z.object({ data: z.array(modelDescriptionSchema) })) {}
