import { Body, Controller, Param, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { ExecutionView } from '#libs/payloads';
import { ExecutionDto, ExecutionIdParams } from '../executions/execution.dto.js';
import { ExecutionCommands } from '../executions/executions.commands.js';
import { Answers, ProblemsOfBody } from '../http/describe-answers.js';
import { Tenant } from '../http/principal.js';
import { Access } from '../http/scopes.js';
import { DecisionsDto } from './approval.dto.js';

/** Where people decide over tool calls that wait for them. */
@ApiTags('executions')
@Controller('api/executions/:id/approvals')
@Access('approvals:decide')
export class ApprovalsController {
  constructor(private readonly commands: ExecutionCommands) {}

  @Post()
  @ApiOperation({
    summary:
      'Decide over waiting tool calls, or say what became of them; with the last decision the execution goes on',
  })
  @Answers(200, ExecutionDto, 'The execution as it is now.')
  @ProblemsOfBody(404, 409)
  decide(
    @Tenant() tenantId: string,
    @Param() { id }: ExecutionIdParams,
    @Body() decisions: DecisionsDto,
  ): Promise<ExecutionView> {
    return this.commands.decide(tenantId, id, decisions);
  }
}
