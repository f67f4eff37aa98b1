import { Controller, Param, Post, Res } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import type { ExecutionView } from '#libs/payloads';
import { ExecutionDto, ExecutionIdParams } from '../executions/execution.dto.js';
import { ExecutionCommands } from '../executions/executions.commands.js';
import { Answers, Problems } from '../http/describe-answers.js';
import { Tenant } from '../http/principal.js';
import { Access } from '../http/scopes.js';

/** Running the same request once more. */
@ApiTags('executions')
@Controller('api/executions/:id/retry')
@Access('executions:write')
export class RetryController {
  constructor(private readonly commands: ExecutionCommands) {}

  @Post()
  @ApiOperation({ summary: 'Run the request of a settled execution again, as a new execution' })
  @Answers(202, ExecutionDto, 'Accepted; `Location` is where to follow it.')
  @Problems(400, 404, 409, 422, 429)
  async retry(
    @Tenant() tenantId: string,
    @Param() { id }: ExecutionIdParams,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ExecutionView> {
    const accepted = await this.commands.retry(tenantId, id);
    void reply.header('Location', `/api/executions/${accepted.id}/`);
    return accepted;
  }
}
