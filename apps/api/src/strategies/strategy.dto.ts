import { createZodDto } from '../http/zod-dto.js';
import { z } from 'zod';
import { strategyDescriptionSchema } from '#libs/policy';

export class StrategyListDto extends createZodDto(z.object({ data: z.array(strategyDescriptionSchema) })) {}
