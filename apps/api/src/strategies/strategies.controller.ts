import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { z } from 'zod';
import { STRATEGIES, strategyDescriptionSchema, type StrategyDescription } from '#libs/policy';
import { Operation } from '../http/operation.js';
import { Answers, Problems } from '../http/describe-answers.js';
import { Access } from '../http/access.js';
import { createZodDto } from '../http/zod-dto.js';

class StrategyListDto extends createZodDto(z.object({ data: z.array(strategyDescriptionSchema) }), {
  data: STRATEGIES.slice(0, 1),
}) {}

/** The strategies that an agent's config can name, with what they take (S1-51 … S1-58). */
@ApiTags('agents')
@Controller('api/strategies')
@Access('agents:read')
export class StrategiesController {
  @Get()
  @Operation(
    'listStrategies',
    'List strategies',
    'The strategies that the `config` of an agent can name, with their parameters.',
  )
  @Answers(200, StrategyListDto, 'The strategies in the order in which forms show them.')
  @Problems()
  list(): { data: readonly StrategyDescription[] } {
    return { data: STRATEGIES };
  }
}
