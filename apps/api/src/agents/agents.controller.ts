import { Body, Controller, Delete, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiExtraModels, ApiOperation, ApiResponse, ApiTags, getSchemaPath } from '@nestjs/swagger';
import type { AgentView, ExpectedVersions, Versioned } from '#libs/persistence';
import { Problems, ProblemsOfBody } from '../http/describe-answers.js';
import { AnswersVersioned, ChangesIfMatch, ExpectedVersion } from '../http/entity-tag.js';
import type { Page } from '../http/page.js';
import { Tenant } from '../http/principal.js';
import { Access } from '../http/scopes.js';
import { AgentDto, AgentFieldsDto, AgentIdParams, AgentListQuery, AgentPageDto } from './agent.dto.js';
import { CreateAgent } from './create-agent.use-case.js';
import { DeactivateAgent } from './deactivate-agent.use-case.js';
import { FindActiveAgent } from './find-active-agent.use-case.js';
import { ListAgents } from './list-agents.use-case.js';

/** Reading, making and retiring agents (S3-17). */
@ApiTags('agents')
@ApiExtraModels(AgentDto.Output, AgentPageDto.Output)
@Controller('api/agents')
export class AgentsController {
  constructor(
    private readonly listAgents: ListAgents,
    private readonly findActiveAgent: FindActiveAgent,
    private readonly createAgent: CreateAgent,
    private readonly deactivateAgent: DeactivateAgent,
  ) {}

  @Get()
  @Access('agents:read')
  @ApiOperation({ summary: 'List agents: the plain array, or a page when `limit` or `cursor` is given' })
  @ApiResponse({
    status: 200,
    description: 'The agents by id, ascending.',
    schema: {
      oneOf: [
        { type: 'array', items: { $ref: getSchemaPath(AgentDto.Output) } },
        { $ref: getSchemaPath(AgentPageDto.Output) },
      ],
    },
  })
  @Problems(400)
  list(@Tenant() tenantId: string, @Query() query: AgentListQuery): Promise<AgentView[] | Page<AgentView>> {
    return this.listAgents.execute(tenantId, query);
  }

  @Post()
  @Access('agents:write')
  @ApiOperation({ summary: 'Create an agent' })
  @AnswersVersioned(201, AgentDto, 'The new agent.')
  @ProblemsOfBody(422)
  create(@Tenant() tenantId: string, @Body() fields: AgentFieldsDto): Promise<Versioned<AgentView>> {
    return this.createAgent.execute(tenantId, fields);
  }

  @Get(':id')
  @Access('agents:read')
  @ApiOperation({ summary: 'Read an active agent' })
  @AnswersVersioned(200, AgentDto, 'The agent.')
  @Problems(400, 404)
  find(@Tenant() tenantId: string, @Param() { id }: AgentIdParams): Promise<Versioned<AgentView>> {
    return this.findActiveAgent.execute(tenantId, id);
  }

  @Delete(':id')
  @Access('agents:write')
  @HttpCode(204)
  @ApiOperation({ summary: 'Make an agent inactive; its sessions stay readable' })
  @ApiResponse({ status: 204, description: 'The agent is inactive.' })
  @ChangesIfMatch()
  @Problems(400, 404)
  deactivate(
    @Tenant() tenantId: string,
    @Param() { id }: AgentIdParams,
    @ExpectedVersion() expected: ExpectedVersions,
  ): Promise<void> {
    return this.deactivateAgent.execute(tenantId, id, expected);
  }
}
