import { Controller, Param, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { ExecutionView } from '#libs/payloads';
import { ExecutionDto, ExecutionIdParams } from '../executions/execution.dto.js';
import { ExecutionCommands } from '../executions/executions.commands.js';
import { Answers, Problems } from '../http/describe-answers.js';
import { Tenant } from '../http/principal.js';
import { Access } from '../http/scopes.js';

/** Stopping an execution. */
@ApiTags('executions')
@Controller('api/executions/:id/cancel')
@Access('executions:write')
export class CancellationController {
  constructor(private readonly commands: ExecutionCommands) {}

  @Post()
  @ApiOperation({ summary: 'Cancel an execution; one that has ended stays as it ended' })
  @Answers(200, ExecutionDto, 'The execution as it is now; a running one ends within about a second.')
  @Problems(400, 404)
  cancel(@Tenant() tenantId: string, @Param() { id }: ExecutionIdParams): Promise<ExecutionView> {
    return this.commands.cancel(tenantId, id);
  }
}
