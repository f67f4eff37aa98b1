import { Body, Controller, Param, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Access, Caller, type Principal } from '../http/access.js';
import { Operation } from '../http/operation.js';
import { Answers, ProblemsOfBody } from '../http/describe-answers.js';
import { ChangesNothing, ShowsSecret } from '../idempotency/route-keys.js';
import { ExecutionIdParams } from './executions.dto.js';
import { NewStreamTokenDto, StreamTokenDto, type StreamTokenView } from './stream-tokens.dto.js';
import { StreamTokens } from './stream-tokens.js';

/**
 * Issues tokens for pages that follow an execution: `EventSource` sends no `Authorization`, and a page must not contain a
 * key.
 */
@ApiTags('executions')
@Controller('api/executions/:id/stream-tokens')
@Access('executions:read')
export class StreamTokensController {
  constructor(private readonly tokens: StreamTokens) {}

  @Post()
  @ShowsSecret()
  @ChangesNothing('A token is computed from the API key; nothing is stored.')
  @Operation(
    'createStreamToken',
    'Create a stream token',
    'The token opens the events of this execution only, for some minutes: for the `EventSource` of a browser, which cannot send `Authorization`.',
  )
  @Answers(201, StreamTokenDto, 'The token, and the path of the events with it.')
  @ProblemsOfBody(404)
  make(
    @Caller() caller: Principal,
    @Param() { id }: ExecutionIdParams,
    @Body() { expires_in_seconds }: NewStreamTokenDto,
  ): Promise<StreamTokenView> {
    return this.tokens.make(caller, id, expires_in_seconds);
  }
}
