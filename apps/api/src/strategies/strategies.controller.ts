import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { z } from 'zod';
import { STRATEGIES, strategyDescriptionSchema, type StrategyDescription } from '#libs/policy';
import { Operation } from '../http/operation.js';
import { Answers, Problems } from '../http/describe-answers.js';
import { Access } from '../http/access.js';
import { RunMaxima } from './run-maxima.js';
import { createZodDto } from '../http/zod-dto.js';

class StrategyListDto extends createZodDto(z.object({ data: z.array(strategyDescriptionSchema) }), {
  data: STRATEGIES.slice(0, 1),
}) {}

/** Lists the strategies for an agent's config, with their parameters (S1-51 … S1-58). */
@ApiTags('agents')
@Controller('api/strategies')
@Access('agents:read')
export class StrategiesController {
  constructor(private readonly maxima: RunMaxima) {}

  @Get()
  @Operation(
    'listStrategies',
    'List strategies',
    'The strategies that the `config` of an agent can name, with their parameters.',
  )
  @Answers(200, StrategyListDto, 'The strategies in the order in which forms show them.')
  @Problems()
  list(): { data: readonly StrategyDescription[] } {
    return { data: STRATEGIES.map((strategy) => this.withMaximum(strategy)) };
  }

  /** Sets the maximum number of rounds of this server. */
  private withMaximum(strategy: StrategyDescription): StrategyDescription {
    const parameters = strategy.parameters.map((parameter) =>
      parameter.name === 'maximum_iterations' ? { ...parameter, max: this.maxima.iterations } : parameter,
    );
    return { ...strategy, parameters };
  }
}
