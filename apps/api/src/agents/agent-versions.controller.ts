import { Controller, Get, Param, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { AgentVersionView, ExpectedVersions, Versioned } from '#libs/persistence';
import { Answers, Problems } from '../http/describe-answers.js';
import { AnswersVersioned, ChangesIfMatch, ExpectedVersion } from '../http/entity-tag.js';
import type { Page } from '../http/page.js';
import { Tenant } from '../http/principal.js';
import { Access } from '../http/scopes.js';
import { AgentIdParams, WrittenAgentDto } from './agent.dto.js';
import {
  AgentVersionDto,
  AgentVersionListQuery,
  AgentVersionPageDto,
  AgentVersionParams,
} from './agent-version.dto.js';
import type { WrittenAgent } from './agent-fields.js';
import { AgentVersionsQueries } from './agent-versions.queries.js';
import { RestoreAgentVersion } from './restore-agent-version.use-case.js';

/** What an agent was after each of its changes. */
@ApiTags('agents')
@Controller('api/agents/:id/versions')
export class AgentVersionsController {
  constructor(
    private readonly queries: AgentVersionsQueries,
    private readonly restoreAgentVersion: RestoreAgentVersion,
  ) {}

  @Get()
  @Access('agents:read')
  @ApiOperation({ summary: 'List the versions of an agent, newest first, also of an inactive one' })
  @Answers(200, AgentVersionPageDto, 'One page of versions.')
  @Problems(400, 404)
  list(
    @Tenant() tenantId: string,
    @Param() { id }: AgentIdParams,
    @Query() query: AgentVersionListQuery,
  ): Promise<Page<AgentVersionView>> {
    return this.queries.list(tenantId, id, query);
  }

  @Get(':version')
  @Access('agents:read')
  @ApiOperation({ summary: 'Read one version of an agent' })
  @Answers(200, AgentVersionDto, 'The agent as it was.')
  @Problems(400, 404)
  find(@Tenant() tenantId: string, @Param() { id, version }: AgentVersionParams): Promise<AgentVersionView> {
    return this.queries.find(tenantId, id, version);
  }

  @Post(':version/restore')
  @Access('agents:write')
  @ApiOperation({ summary: 'Make an agent what it was in this version; that is a new version' })
  @ChangesIfMatch()
  @AnswersVersioned(200, WrittenAgentDto, 'The agent as it is now.')
  @Problems(400, 404)
  restore(
    @Tenant() tenantId: string,
    @Param() { id, version }: AgentVersionParams,
    @ExpectedVersion() expected: ExpectedVersions,
  ): Promise<Versioned<WrittenAgent>> {
    return this.restoreAgentVersion.execute(tenantId, id, version, expected);
  }
}
