import { Body, Controller, Delete, Get, HttpCode, Param, Post, Query, Res } from '@nestjs/common';
import { ApiExtraModels, ApiOperation, ApiResponse, ApiTags, getSchemaPath } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import type { AgentView, ExpectedVersions, Versioned } from '#libs/persistence';
import { Problems, ProblemsOfBody } from '../http/describe-answers.js';
import { AnswersVersioned, ChangesIfMatch, ExpectedVersion } from '../http/entity-tag.js';
import type { Page } from '../http/page.js';
import { Tenant } from '../http/principal.js';
import { Access } from '../http/scopes.js';
import {
  AgentDto,
  AgentFieldsDto,
  AgentIdParams,
  AgentListQuery,
  AgentPageDto,
  WrittenAgentDto,
} from './agent.dto.js';
import type { WrittenAgent } from './agent-fields.js';
import { CreateAgent } from './create-agent.use-case.js';
import { DeactivateAgent } from './deactivate-agent.use-case.js';
import { FindActiveAgent } from './find-active-agent.use-case.js';
import { ListAgents } from './list-agents.use-case.js';

const NEXT_OF_ARRAY =
  'With `rel="next"`, only of a plain array that does not hold all: it ends at 1 000 agents or 1 MB.';

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
    headers: { Link: { description: NEXT_OF_ARRAY, schema: { type: 'string' } } },
    schema: {
      oneOf: [
        { type: 'array', items: { $ref: getSchemaPath(AgentDto.Output) } },
        { $ref: getSchemaPath(AgentPageDto.Output) },
      ],
    },
  })
  @Problems(400)
  async list(
    @Tenant() tenantId: string,
    @Query() query: AgentListQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<readonly AgentView[] | Page<AgentView>> {
    const { isPaged, page } = await this.listAgents.execute(tenantId, query);
    if (isPaged) return page;
    if (page.next_cursor !== null) void reply.header('Link', linkToNext(page.next_cursor, query));
    return page.data;
  }

  @Post()
  @Access('agents:write')
  @ApiOperation({ summary: 'Create an agent' })
  @AnswersVersioned(201, WrittenAgentDto, 'The new agent.')
  @ProblemsOfBody(422)
  create(@Tenant() tenantId: string, @Body() fields: AgentFieldsDto): Promise<Versioned<WrittenAgent>> {
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

/** Where the rest of a plain array is, as a page (RFC 8288). */
function linkToNext(cursor: string, { include_inactive }: AgentListQuery): string {
  return `</api/agents/?cursor=${cursor}&include_inactive=${include_inactive}>; rel="next"`;
}
