import { Body, Controller, Get, Param, Post, Query, Req, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ExecutionSummary, ExecutionView } from '#libs/payloads';
import type { RunStepView } from '#libs/persistence';
import { Operation } from '../http/operation.js';
import { Answers, Problems, ProblemsOfBody } from '../http/describe-answers.js';
import type { Page } from '../http/page.js';
import { LOCATION_HEADER } from '../http/location.js';
import { Access, Caller, Tenant, type Principal } from '../http/access.js';
import { noteAccepted } from '../http/request-logging.js';
import { KeepsOwnKeys } from '../idempotency/route-keys.js';
import { SubmissionsService } from './submissions.service.js';
import {
  DecisionsDto,
  ExecutionDto,
  ExecutionIdParams,
  ExecutionListQuery,
  ExecutionPageDto,
  RetryRequestDto,
  RunStepListQuery,
  RunStepPageDto,
  WorkingMemoryDto,
} from './executions.dto.js';
import { ExecutionsService } from './executions.service.js';
import { SubmitKeys } from './submit-keys.js';

/** Reads executions and their audit rows. */
@ApiTags('executions')
@Controller('api/executions')
export class ExecutionsController {
  constructor(private readonly executions: ExecutionsService) {}

  @Get()
  @Access('executions:read')
  @Operation(
    'listExecutions',
    'List executions',
    'Newest first, without their results: those are read one by one.',
  )
  @Answers(200, ExecutionPageDto, 'One page of executions.')
  @Problems(400)
  list(@Tenant() tenantId: string, @Query() query: ExecutionListQuery): Promise<Page<ExecutionSummary>> {
    return this.executions.list(tenantId, query);
  }

  @Get(':id')
  @Access('executions:read')
  @Operation(
    'getExecution',
    'Read an execution',
    'Its status, result, usage and error, and what it waits for while a person has to decide.',
  )
  @Answers(200, ExecutionDto, 'The execution.')
  @Problems(400, 404)
  find(@Tenant() tenantId: string, @Param() { id }: ExecutionIdParams): Promise<ExecutionView> {
    return this.executions.find(tenantId, id);
  }

  @Get(':id/steps')
  @Access('audit:read')
  @Operation(
    'listExecutionSteps',
    'List the steps of an execution',
    'The audit: every tool call with its input, output, status and times, in the order of rounds and calls.',
  )
  @Answers(200, RunStepPageDto, 'The steps in the order of rounds and calls.')
  @Problems(400, 404)
  steps(
    @Tenant() tenantId: string,
    @Param() { id }: ExecutionIdParams,
    @Query() query: RunStepListQuery,
  ): Promise<Page<RunStepView>> {
    return this.executions.listRunSteps(tenantId, id, query);
  }

  @Get(':id/working-memory')
  @Access('audit:read')
  @Operation(
    'readWorkingMemory',
    'Read the working memory of an execution',
    'The results of the steps of a pipeline so far, by their names. Empty for agents of other types.',
  )
  @Answers(200, WorkingMemoryDto, 'The outputs of the steps that are over.')
  @Problems(400, 404)
  workingMemory(@Tenant() tenantId: string, @Param() { id }: ExecutionIdParams): Promise<WorkingMemoryDto> {
    return this.executions.findWorkingMemory(tenantId, id);
  }
}

/** Cancels executions. */
@ApiTags('executions')
@Controller('api/executions/:id/cancel')
@Access('executions:write')
export class CancellationController {
  constructor(private readonly executions: ExecutionsService) {}

  @Post()
  @Operation(
    'cancelExecution',
    'Cancel an execution',
    'One that waits ends at once, a running one within about a second. One that has ended stays as it ended.',
  )
  @Answers(200, ExecutionDto, 'The execution as it is now; a running one ends within about a second.')
  @Problems(400, 404)
  cancel(@Tenant() tenantId: string, @Param() { id }: ExecutionIdParams): Promise<ExecutionView> {
    return this.executions.cancel(tenantId, id);
  }
}

/** Retries executions. */
@ApiTags('executions')
@Controller('api/executions/:id/retry')
@Access('executions:write')
export class RetryController {
  constructor(
    private readonly submissions: SubmissionsService,
    private readonly submitKeys: SubmitKeys,
  ) {}

  @Post()
  @Operation(
    'retryExecution',
    'Retry an execution',
    'Runs the request of a settled execution again, as a new execution with an id of its own; a completed one only with `even_if_completed`. Tokens of the request were deleted when it ended: give them again.',
  )
  @KeepsOwnKeys()
  @Answers(202, ExecutionDto, 'Accepted; `Location` is where to follow it.', LOCATION_HEADER)
  @ProblemsOfBody(404, 409, 422, 429)
  async retry(
    @Tenant() tenantId: string,
    @Param() { id }: ExecutionIdParams,
    @Body() again: RetryRequestDto,
    @Req() raw: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ExecutionView> {
    const idempotency = this.submitKeys.read(raw, tenantId, `POST /api/executions/${id}/retry/`);
    const { view: accepted, isReplayed } = await this.submissions.retry(tenantId, id, again, idempotency);
    if (isReplayed) void reply.header('Idempotency-Replayed', 'true');
    noteAccepted(reply.raw, accepted.id);
    void reply.header('Location', `/api/executions/${accepted.id}/`);
    return accepted;
  }
}

/** Takes decisions of people on waiting tool calls. */
@ApiTags('executions')
@Controller('api/executions/:id/approvals')
@Access('approvals:decide')
export class ApprovalsController {
  constructor(private readonly executions: ExecutionsService) {}

  @Post()
  @Operation(
    'decideToolCalls',
    'Decide over waiting tool calls',
    'Approves or refuses calls that ask for `approval`, and says what became of calls that ask for their `outcome`. With the last decision the execution goes on. The same decision sent again changes nothing; another one is a 409.',
  )
  @Answers(200, ExecutionDto, 'The execution as it is now.')
  @ProblemsOfBody(404, 409)
  decide(
    @Caller() caller: Principal,
    @Param() { id }: ExecutionIdParams,
    @Body() decisions: DecisionsDto,
  ): Promise<ExecutionView> {
    return this.executions.decide(caller, id, decisions);
  }
}
