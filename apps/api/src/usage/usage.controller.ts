import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Operation } from '../http/operation.js';
import { Answers, Problems } from '../http/describe-answers.js';
import { Access, Caller, type Principal } from '../http/access.js';
import { UsagePageDto, UsageQuery } from './usage.dto.js';
import { UsageService, type UsagePage } from './usage.service.js';

/** Sums usage and cost of model calls. */
@ApiTags('usage')
@Controller('api/usage')
@Access('executions:read')
export class UsageController {
  constructor(private readonly usage: UsageService) {}

  @Get()
  @Operation(
    'sumUsage',
    'Sum usage',
    'Tokens and cost of settled executions, grouped by model, agent, executor, scope or tenant, and over time.',
  )
  @Answers(200, UsagePageDto, 'One page of sums, in the order of what they are grouped by.')
  @Problems(400)
  sum(@Caller() principal: Principal, @Query() query: UsageQuery): Promise<UsagePage> {
    return this.usage.sum(principal, query);
  }
}
