import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Put, Query, Res } from '@nestjs/common';
import { ApiExtraModels, ApiResponse, ApiTags, getSchemaPath } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import type { AgentVersionView, AgentView, ExpectedVersions, Versioned } from '#libs/persistence';
import { Operation } from '../http/operation.js';
import { Answers, Problems, ProblemsOfBody } from '../http/describe-answers.js';
import { AnswersVersioned, ChangesIfMatch, ExpectedVersion } from '../http/entity-tag.js';
import type { Page } from '../http/page.js';
import { AnswersMadeVersioned } from '../http/location.js';
import { Access, Tenant } from '../http/access.js';
import { ChangesNothing } from '../idempotency/route-keys.js';
import { AgentsService, type WrittenAgent } from './agents.service.js';
import {
  AgentDto,
  AgentFieldsDto,
  AgentIdParams,
  AgentListQuery,
  AgentPageDto,
  AgentPatchDto,
  AgentVersionDto,
  AgentVersionListQuery,
  AgentVersionPageDto,
  AgentVersionParams,
  PromptPreviewDto,
  PromptPreviewFieldsDto,
  WrittenAgentDto,
} from './agents.dto.js';
import { PromptPreview } from './prompt-preview.js';

const NEXT_OF_ARRAY =
  'Link to the next page (`rel="next"`); sent only with an array that was cut at 1 000 agents or 1 MB.';

/** Lists, reads, creates and deactivates agents (S3-17). */
@ApiTags('agents')
@ApiExtraModels(AgentDto.Output, AgentPageDto.Output)
@Controller('api/agents')
export class AgentsController {
  constructor(
    private readonly agents: AgentsService,
    private readonly promptPreview: PromptPreview,
  ) {}

  @Get()
  @Access('agents:read')
  @Operation(
    'listAgents',
    'List agents',
    'Agents by ascending id: an array, or a page where `limit` or `cursor` is given. Inactive agents are left out unless `include_inactive` is `true`.',
  )
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
    const { isPaged, page } = await this.agents.list(tenantId, query);
    if (isPaged) return page;
    if (page.next_cursor !== null) void reply.header('Link', linkToNext(page.next_cursor, query));
    return page.data;
  }

  @Post()
  @Access('agents:write')
  @Operation(
    'createAgent',
    'Create an agent',
    'An agent defines model, strategy, prompt, tools and limits. Every change creates a version.',
  )
  @AnswersMadeVersioned(WrittenAgentDto, '/api/agents/', 'The new agent.')
  @ProblemsOfBody(422)
  create(@Tenant() tenantId: string, @Body() fields: AgentFieldsDto): Promise<Versioned<WrittenAgent>> {
    return this.agents.create(tenantId, fields);
  }

  @Post('prompt-preview')
  @ChangesNothing('It composes a text.')
  @Access('agents:read')
  @Operation(
    'previewPrompt',
    'Preview the system prompt of an agent',
    'Composes the layers `tenant`, `agent` and `skills` for fields that need not be saved. Layers that depend on a request or a conversation are left out: preferred skills, workspace, memory, summary.',
  )
  @Answers(200, PromptPreviewDto, 'The prompt as it would be sent before a first message.')
  @ProblemsOfBody()
  previewPrompt(
    @Tenant() tenantId: string,
    @Body() fields: PromptPreviewFieldsDto,
  ): Promise<PromptPreviewDto> {
    return this.promptPreview.execute(tenantId, fields);
  }

  @Get(':id')
  @Access('agents:read')
  @Operation(
    'getAgent',
    'Read an agent',
    'Answers 404 for an inactive agent. The `ETag` is its version; send it as `If-Match` to change only that version.',
  )
  @AnswersVersioned(200, AgentDto, 'The agent.')
  @Problems(400, 404)
  find(@Tenant() tenantId: string, @Param() { id }: AgentIdParams): Promise<Versioned<AgentView>> {
    return this.agents.findActive(tenantId, id);
  }

  @Delete(':id')
  @Access('agents:write')
  @HttpCode(204)
  @Operation(
    'deactivateAgent',
    'Deactivate an agent',
    'The agent takes no more executions; its sessions and versions stay readable. `PATCH` with `{"is_active": true}` reactivates it.',
  )
  @ApiResponse({ status: 204, description: 'The agent is inactive.' })
  @ChangesIfMatch()
  @Problems(400, 404)
  deactivate(
    @Tenant() tenantId: string,
    @Param() { id }: AgentIdParams,
    @ExpectedVersion() expected: ExpectedVersions,
  ): Promise<void> {
    return this.agents.deactivate(tenantId, id, expected);
  }
}

/** `Link` header with the page that continues a truncated array (RFC 8288). */
function linkToNext(cursor: string, { include_inactive }: AgentListQuery): string {
  return `</api/agents/?cursor=${cursor}&include_inactive=${include_inactive}>; rel="next"`;
}

/** Replaces or updates an agent (S3-17). */
@ApiTags('agents')
@Controller('api/agents/:id')
@Access('agents:write')
export class AgentChangesController {
  constructor(private readonly agents: AgentsService) {}

  @Put()
  @Operation(
    'replaceAgent',
    'Replace an agent',
    'Omitted fields get their defaults. Creates a new version; executions accepted before keep theirs.',
  )
  @ChangesIfMatch()
  @AnswersVersioned(200, WrittenAgentDto, 'The agent as it is now.')
  @ProblemsOfBody(404, 422)
  replace(
    @Tenant() tenantId: string,
    @Param() { id }: AgentIdParams,
    @Body() fields: AgentFieldsDto,
    @ExpectedVersion() expected: ExpectedVersions,
  ): Promise<Versioned<WrittenAgent>> {
    return this.agents.replace(tenantId, id, fields, expected);
  }

  @Patch()
  @Operation(
    'updateAgent',
    'Change some fields of an agent',
    'Omitted fields stay as they are. `{"is_active": true}` reactivates an inactive agent. Creates a new version; executions accepted before keep theirs.',
  )
  @ChangesIfMatch()
  @AnswersVersioned(200, WrittenAgentDto, 'The agent as it is now.')
  @ProblemsOfBody(404, 422)
  patch(
    @Tenant() tenantId: string,
    @Param() { id }: AgentIdParams,
    @Body() fields: AgentPatchDto,
    @ExpectedVersion() expected: ExpectedVersions,
  ): Promise<Versioned<WrittenAgent>> {
    return this.agents.patch(tenantId, id, fields, expected);
  }
}

/** Lists, reads and restores the versions of an agent. */
@ApiTags('agents')
@Controller('api/agents/:id/versions')
export class AgentVersionsController {
  constructor(private readonly agents: AgentsService) {}

  @Get()
  @Access('agents:read')
  @Operation(
    'listAgentVersions',
    'List the versions of an agent',
    'Newest first, also for an inactive agent. Every change creates a version, and an execution names the version that it runs.',
  )
  @Answers(200, AgentVersionPageDto, 'One page of versions.')
  @Problems(400, 404)
  list(
    @Tenant() tenantId: string,
    @Param() { id }: AgentIdParams,
    @Query() query: AgentVersionListQuery,
  ): Promise<Page<AgentVersionView>> {
    return this.agents.listVersions(tenantId, id, query);
  }

  @Get(':version')
  @Access('agents:read')
  @Operation('getAgentVersion', 'Read a version of an agent', 'The agent as of this version.')
  @Answers(200, AgentVersionDto, 'The agent as of this version.')
  @Problems(400, 404)
  find(@Tenant() tenantId: string, @Param() { id, version }: AgentVersionParams): Promise<AgentVersionView> {
    return this.agents.findVersion(tenantId, id, version);
  }

  @Post(':version/restore')
  @Access('agents:write')
  @Operation(
    'restoreAgentVersion',
    'Restore a version of an agent',
    'Creates a new version with the contents of this one.',
  )
  @ChangesIfMatch()
  @AnswersVersioned(200, WrittenAgentDto, 'The agent as it is now.')
  @Problems(400, 404)
  restore(
    @Tenant() tenantId: string,
    @Param() { id, version }: AgentVersionParams,
    @ExpectedVersion() expected: ExpectedVersions,
  ): Promise<Versioned<WrittenAgent>> {
    return this.agents.restoreVersion(tenantId, id, version, expected);
  }
}
