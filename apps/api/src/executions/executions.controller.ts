import { Body, Controller, Get, Param, Post, Query, Req, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ExecutionSummary, ExecutionView, ExecutionWithRequest } from '#libs/payloads';
import type { RunStepView, TimelineEntry } from '#libs/persistence';
import { Operation } from '../http/operation.js';
import { Answers, OptionalHeader, Problems, ProblemsOfBody } from '../http/describe-answers.js';
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
  ExecutionPageDto,
  ExecutionWithRequestDto,
  RetryRequestDto,
  RunStepListQuery,
  RunStepPageDto,
  WorkingMemoryDto,
} from './executions.dto.js';
import { ExecutionListQuery } from './execution-filters.dto.js';
import { APPLIED_HEADER, HeldAnswers } from './held-answers.js';
import { ExecutionsService } from './executions.service.js';
import { SubmitKeys } from './submit-headers.js';
import { TimelinePageDto, TimelineQuery } from './timeline.dto.js';

const PREFER =
  '`wait=N`: wait up to N seconds (1 to 60) until the execution has settled or needs a person; then, or when the time is over, answer it as it is.';

/** Reads executions and their audit rows. */
@ApiTags('executions')
@Controller('api/executions')
export class ExecutionsController {
  constructor(
    private readonly executions: ExecutionsService,
    private readonly heldAnswers: HeldAnswers,
  ) {}

  @Get()
  @Access('executions:read')
  @Operation(
    'listExecutions',
    'List executions',
    'Newest first, without results and with the beginnings of inputs; read an execution for the whole of them.',
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
    'Request, status, result, usage, error, and the calls that wait for a person. With `Prefer: wait=N` the answer comes when the execution has settled or needs a person.',
  )
  @OptionalHeader('Prefer', PREFER)
  @Answers(200, ExecutionWithRequestDto, 'The execution with its request.', APPLIED_HEADER)
  @Problems(400, 404)
  async find(
    @Caller() caller: Principal,
    @Param() { id: executionId }: ExecutionIdParams,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ExecutionWithRequest> {
    const find = () => this.executions.findWhole(caller.tenantId, executionId);
    const { first, last } = await this.heldAnswers.hold({ caller, executionId, request, reply }, find);
    return last === first ? first : find();
  }

  @Get(':id/steps')
  @Access('audit:read')
  @Operation(
    'listExecutionSteps',
    'List the steps of an execution',
    'The audit log: every tool call with input, output, status and times, in the order of rounds and calls.',
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

  @Get(':id/timeline')
  @Access('executions:read')
  @Operation(
    'listExecutionTimeline',
    'List the timeline of an execution',
    'Attempts, model calls, tool calls, approvals, waits and webhook deliveries, without inputs and outputs, in the order in which they were first recorded: an attempt or a wait when it begins, a model call when it ends, a tool call with the model call that asked for it. Ids never change. To follow a running execution, read its last page again: what was recorded since comes after the entries that you know, and entries without `finished_at` may have ended.',
  )
  @Answers(200, TimelinePageDto, 'One page of entries, the earliest first.')
  @Problems(400, 404)
  timeline(
    @Tenant() tenantId: string,
    @Param() { id }: ExecutionIdParams,
    @Query() query: TimelineQuery,
  ): Promise<Page<TimelineEntry>> {
    return this.executions.listTimeline(tenantId, id, query);
  }

  @Get(':id/working-memory')
  @Access('audit:read')
  @Operation(
    'readWorkingMemory',
    'Read the working memory of an execution',
    'The results so far of the steps of a pipeline, by name. Empty for agents of other types.',
  )
  @Answers(200, WorkingMemoryDto, 'Outputs of the finished steps.')
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
    'A waiting execution ends at once, a running one within about a second. A settled one stays as it is.',
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
    'Runs the request of a settled execution again as a new execution; a completed one only with `even_if_completed`. Tokens of the request were deleted at its end: send them again.',
  )
  @KeepsOwnKeys()
  @Answers(202, ExecutionDto, 'Accepted; `Location` is the path of the new execution.', LOCATION_HEADER)
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
  constructor(
    private readonly executions: ExecutionsService,
    private readonly heldAnswers: HeldAnswers,
  ) {}

  @Post()
  @Operation(
    'decideToolCalls',
    'Decide on waiting tool calls',
    'Approves or refuses calls that wait for `approval`, and reports the outcome of calls that wait for `outcome`. After the last decision the execution continues. Repeating a decision changes nothing; a different one answers 409.',
  )
  @OptionalHeader('Prefer', PREFER)
  @Answers(200, ExecutionDto, 'The execution as it is now.', APPLIED_HEADER)
  @ProblemsOfBody(404, 409)
  async decide(
    @Caller() caller: Principal,
    @Param() { id: executionId }: ExecutionIdParams,
    @Body() decisions: DecisionsDto,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ExecutionView> {
    const decide = () => this.executions.decide(caller, executionId, decisions);
    return (await this.heldAnswers.hold({ caller, executionId, request, reply }, decide)).last;
  }
}
