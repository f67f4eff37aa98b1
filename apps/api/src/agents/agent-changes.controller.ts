import { Body, Controller, Param, Patch, Put } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { ExpectedVersions, Versioned } from '#libs/persistence';
import { ProblemsOfBody } from '../http/describe-answers.js';
import { AnswersVersioned, ChangesIfMatch, ExpectedVersion } from '../http/entity-tag.js';
import { Tenant } from '../http/principal.js';
import { Access } from '../http/scopes.js';
import { AgentFieldsDto, AgentIdParams, AgentPatchDto, WrittenAgentDto } from './agent.dto.js';
import type { WrittenAgent } from './agent-fields.js';
import { PatchAgent } from './patch-agent.use-case.js';
import { ReplaceAgent } from './replace-agent.use-case.js';

/** Changing an agent, wholly or in part (S3-17). */
@ApiTags('agents')
@Controller('api/agents/:id')
@Access('agents:write')
export class AgentChangesController {
  constructor(
    private readonly replaceAgent: ReplaceAgent,
    private readonly patchAgent: PatchAgent,
  ) {}

  @Put()
  @ApiOperation({ summary: 'Replace an active agent: what is left out gets its default' })
  @ChangesIfMatch()
  @AnswersVersioned(200, WrittenAgentDto, 'The agent as it is now.')
  @ProblemsOfBody(404, 422)
  replace(
    @Tenant() tenantId: string,
    @Param() { id }: AgentIdParams,
    @Body() fields: AgentFieldsDto,
    @ExpectedVersion() expected: ExpectedVersions,
  ): Promise<Versioned<WrittenAgent>> {
    return this.replaceAgent.execute(tenantId, id, fields, expected);
  }

  @Patch()
  @ApiOperation({
    summary: 'Change some fields of an agent; `{"is_active": true}` brings an inactive one back',
  })
  @ChangesIfMatch()
  @AnswersVersioned(200, WrittenAgentDto, 'The agent as it is now.')
  @ProblemsOfBody(404, 422)
  patch(
    @Tenant() tenantId: string,
    @Param() { id }: AgentIdParams,
    @Body() fields: AgentPatchDto,
    @ExpectedVersion() expected: ExpectedVersions,
  ): Promise<Versioned<WrittenAgent>> {
    return this.patchAgent.execute(tenantId, id, fields, expected);
  }
}
