import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Put, Query } from '@nestjs/common';
import { ApiResponse, ApiTags } from '@nestjs/swagger';
import type { ExpectedVersions, ToolServerView, Versioned } from '#libs/persistence';
import { Access, Tenant } from '../http/access.js';
import { Answers, Problems, ProblemsOfBody } from '../http/describe-answers.js';
import { AnswersVersioned, ChangesIfMatch, ExpectedVersion } from '../http/entity-tag.js';
import { AnswersMadeVersioned } from '../http/location.js';
import { Operation } from '../http/operation.js';
import type { Page } from '../http/page.js';
import { ToolServersService } from './mcp-servers.service.js';
import {
  ToolServerDto,
  ToolServerFieldsDto,
  ToolServerIdParams,
  ToolServerListQuery,
  ToolServerPageDto,
  ToolServerPatchDto,
} from './mcp-servers.dto.js';

/** Manages tool servers of a tenant (S4-8): MCP servers, and HTTP services described by OpenAPI. */
@ApiTags('tool servers')
@Controller('api/mcp-servers')
export class ToolServersController {
  constructor(private readonly toolServers: ToolServersService) {}

  @Get()
  @Access('agents:read')
  @Operation(
    'listToolServers',
    'List tool servers',
    'Newest first, without the documents of their configurations; read a tool server for those.',
  )
  @Answers(200, ToolServerPageDto, 'One page of tool servers.')
  @Problems(400)
  list(@Tenant() tenantId: string, @Query() query: ToolServerListQuery): Promise<Page<ToolServerView>> {
    return this.toolServers.list(tenantId, query);
  }

  @Post()
  @Access('agents:write')
  @Operation(
    'createToolServer',
    'Create a tool server',
    'The server is not contacted; probe it to see whether it works. Its tools are offered to the agents that name them in `tools.servers`.',
  )
  @AnswersMadeVersioned(ToolServerDto, '/api/mcp-servers/', 'The new tool server.')
  @ProblemsOfBody(409, 422)
  create(
    @Tenant() tenantId: string,
    @Body() fields: ToolServerFieldsDto,
  ): Promise<Versioned<ToolServerView>> {
    return this.toolServers.create(tenantId, fields);
  }

  @Get(':id')
  @Access('agents:read')
  @Operation(
    'getToolServer',
    'Read a tool server',
    'Without sealed texts. The `ETag` is its version; send it as `If-Match` to change only that version.',
  )
  @AnswersVersioned(200, ToolServerDto, 'The tool server.')
  @Problems(400, 404)
  find(@Tenant() tenantId: string, @Param() { id }: ToolServerIdParams): Promise<Versioned<ToolServerView>> {
    return this.toolServers.find(tenantId, id);
  }
}

/** Changes and deletes tool servers. */
@ApiTags('tool servers')
@Controller('api/mcp-servers/:id')
@Access('agents:write')
export class ToolServerChangesController {
  constructor(private readonly toolServers: ToolServersService) {}

  @Put()
  @Operation('replaceToolServer', 'Replace a tool server', 'Omitted fields get their defaults.')
  @ChangesIfMatch()
  @AnswersVersioned(200, ToolServerDto, 'The tool server as it is now.')
  @ProblemsOfBody(404, 409, 422)
  replace(
    @Tenant() tenantId: string,
    @Param() { id }: ToolServerIdParams,
    @Body() fields: ToolServerFieldsDto,
    @ExpectedVersion() expected: ExpectedVersions,
  ): Promise<Versioned<ToolServerView>> {
    return this.toolServers.change(tenantId, id, fields, expected);
  }

  @Patch()
  @Operation(
    'updateToolServer',
    'Change some fields of a tool server',
    'Omitted fields stay as they are; `config` is replaced as a whole.',
  )
  @ChangesIfMatch()
  @AnswersVersioned(200, ToolServerDto, 'The tool server as it is now.')
  @ProblemsOfBody(404, 409, 422)
  patch(
    @Tenant() tenantId: string,
    @Param() { id }: ToolServerIdParams,
    @Body() fields: ToolServerPatchDto,
    @ExpectedVersion() expected: ExpectedVersions,
  ): Promise<Versioned<ToolServerView>> {
    return this.toolServers.change(tenantId, id, fields, expected);
  }

  @Delete()
  @HttpCode(204)
  @Operation(
    'deleteToolServer',
    'Delete a tool server',
    'Executions that began with its tools cannot continue with them; agents that name them fail until they are changed.',
  )
  @ApiResponse({ status: 204, description: 'The tool server is gone.' })
  @ChangesIfMatch()
  @Problems(400, 404)
  remove(
    @Tenant() tenantId: string,
    @Param() { id }: ToolServerIdParams,
    @ExpectedVersion() expected: ExpectedVersions,
  ): Promise<void> {
    return this.toolServers.delete(tenantId, id, expected);
  }
}
