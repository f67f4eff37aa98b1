import { Body, Controller, Param, Post, Req, Res } from '@nestjs/common';
import { ApiResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AwaitSettlement, type SubmitCommand } from '#libs/executions';
import { assertNever } from '#libs/kernel';
import type { ExecutionView } from '#libs/payloads';
import { AgentIdParams } from '../agents/agents.dto.js';
import { Operation } from '../http/operation.js';
import { Answers, OptionalHeader, ProblemsOfBody } from '../http/describe-answers.js';
import { KeyWatch } from '../http/key-watch.js';
import { LOCATION_HEADER } from '../http/location.js';
import { LiveRequests } from '../http/open-requests.js';
import { Access, Caller, type Principal } from '../http/access.js';
import { noteAccepted } from '../http/request-logging.js';
import { singleHeader } from '../http/request-values.js';
import { KeepsOwnKeys } from '../idempotency/route-keys.js';
import { SubmissionsService } from './submissions.service.js';
import { ExecuteRequestDto, SubmittedExecutionDto } from './executions.dto.js';
import { executionFailed } from './executions.errors.js';
import { APPLIED_HEADER } from './held-answers.js';
import { WaitingSubmits } from '../http/held-requests.js';
import {
  describeApplied,
  parseSubmitPreferences,
  SubmitKeys,
  type SubmitPreferences,
} from './submit-headers.js';

/** The answer to a submit, with or without waiting: the execution, with its id also under the name that S3-20 requires. */
export interface SubmittedExecution extends ExecutionView {
  readonly execution_id: string;
}

/**
 * Whether the client gets its result now (200) or keeps following (202). Throws the error of a failed execution (S3-31),
 * unless the client asked for lenient handling.
 */
export function hasResult(view: ExecutionView, handling: SubmitPreferences['handling']): boolean {
  switch (view.status) {
    case 'completed':
    case 'incomplete':
      return true;
    case 'failed':
      if (handling === 'lenient') return true;
      throw executionFailed(view);
    case 'queued':
    case 'running':
    case 'requires_action':
    case 'cancelled':
      return false;
    default:
      return assertNever(view.status);
  }
}

/** Submits executions (S3-8). */
@ApiTags('executions')
@Controller('api/agents/:id/execute')
@Access('executions:write')
export class ExecuteController {
  constructor(
    private readonly submissions: SubmissionsService,
    private readonly awaitSettlement: AwaitSettlement,
    private readonly liveRequests: LiveRequests,
    private readonly waitingSubmits: WaitingSubmits,
    private readonly keyWatch: KeyWatch,
    private readonly submitKeys: SubmitKeys,
  ) {}

  @Post()
  @Operation(
    'submitExecution',
    'Submit an execution',
    'Accepts work for an agent and answers 202 at once; follow its events, read it, or receive a webhook. With `Prefer: wait=N` the answer is 200 with the result if the execution settles in time. Both answers have the same shape. With an `Idempotency-Key` the request can be repeated safely.',
  )
  @OptionalHeader(
    'Prefer',
    '`wait=N`: wait up to N seconds (1 to 60) for the result. 200: completed; 202: not settled in time, or waits for a person; 500 with the error code and `x-should-retry: false`: failed. With `wait=N, handling=lenient` a failed execution is answered with 200, `status: failed` and `error`.',
  )
  @KeepsOwnKeys()
  @Answers(
    202,
    SubmittedExecutionDto,
    'Accepted: under way, cancelled, or waiting for a person. `Location` is its path.',
    { ...LOCATION_HEADER, ...APPLIED_HEADER },
  )
  @ApiResponse({
    status: 200,
    type: SubmittedExecutionDto.Output,
    description: 'The execution settled during the wait: it has a result, or failed with `handling=lenient`.',
    headers: { ...LOCATION_HEADER, ...APPLIED_HEADER },
  })
  @ProblemsOfBody(404, 409, 422, 429)
  async execute(
    @Caller() caller: Principal,
    @Param() { id: agentId }: AgentIdParams,
    @Body() request: ExecuteRequestDto,
    @Req() raw: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<SubmittedExecution> {
    const preferences = parseSubmitPreferences(singleHeader(raw, 'prefer'));
    const { waitSeconds, handling } = preferences;
    const command = {
      ...{ tenantId: caller.tenantId, agentId, request },
      idempotency: this.submitKeys.read(raw, caller.tenantId, `POST /api/agents/${agentId}/execute/`),
    };
    if (waitSeconds === null) return toSubmitted(await this.submit(command, reply));
    const signal = this.liveRequests.signalFor(reply.raw);
    // The limit on waiting clients is checked first: a refused request must not leave an accepted execution.
    this.waitingSubmits.hold(caller, reply.raw);
    this.keyWatch.watch(caller, reply.raw);
    const awaited = this.awaitSettlement.begin();
    try {
      const { executionId } = awaited;
      const accepted = await this.submit({ ...command, executionId }, reply);
      void reply.header('Preference-Applied', describeApplied(preferences));
      const seen = await awaited.settled(caller.tenantId, accepted, waitSeconds * 1_000, signal);
      if (hasResult(seen, handling)) void reply.status(200);
      return toSubmitted(seen);
    } finally {
      awaited.close();
    }
  }

  private async submit(command: SubmitCommand, reply: FastifyReply): Promise<ExecutionView> {
    const { view, isReplayed } = await this.submissions.submit(command);
    if (isReplayed) void reply.header('Idempotency-Replayed', 'true');
    noteAccepted(reply.raw, view.id);
    void reply.header('Location', `/api/executions/${view.id}/`);
    return view;
  }
}

export function toSubmitted(view: ExecutionView): SubmittedExecution {
  return { ...view, execution_id: view.id };
}
