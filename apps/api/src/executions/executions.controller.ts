import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { ExecutionSummary, ExecutionView } from '#libs/payloads';
import type { RunStepView } from '#libs/persistence';
import { Answers, Problems } from '../http/describe-answers.js';
import type { Page } from '../http/page.js';
import { Tenant } from '../http/principal.js';
import { Access } from '../http/scopes.js';
import {
  ExecutionDto,
  ExecutionIdParams,
  ExecutionListQuery,
  ExecutionPageDto,
  RunStepListQuery,
  RunStepsDto,
} from './execution.dto.js';
import { ExecutionQueries } from './executions.queries.js';

/** Reading executions and their audit. */
@ApiTags('executions')
@Controller('api/executions')
export class ExecutionsController {
  constructor(private readonly queries: ExecutionQueries) {}

  @Get()
  @Access('executions:read')
  @ApiOperation({ summary: 'List executions, newest first, without what they answered' })
  @Answers(200, ExecutionPageDto, 'One page of executions.')
  @Problems(400)
  list(@Tenant() tenantId: string, @Query() query: ExecutionListQuery): Promise<Page<ExecutionSummary>> {
    return this.queries.list(tenantId, query);
  }

  @Get(':id')
  @Access('executions:read')
  @ApiOperation({ summary: 'Read an execution' })
  @Answers(200, ExecutionDto, 'The execution.')
  @Problems(400, 404)
  find(@Tenant() tenantId: string, @Param() { id }: ExecutionIdParams): Promise<ExecutionView> {
    return this.queries.find(tenantId, id);
  }

  @Get(':id/steps')
  @Access('audit:read')
  @ApiOperation({ summary: 'Read the audit of an execution: every tool call with its input and output' })
  @Answers(200, RunStepsDto, 'The steps in the order of rounds and calls.')
  @Problems(400, 404)
  steps(
    @Tenant() tenantId: string,
    @Param() { id }: ExecutionIdParams,
    @Query() query: RunStepListQuery,
  ): Promise<Page<RunStepView>> {
    return this.queries.listRunSteps(tenantId, id, query);
  }
}
