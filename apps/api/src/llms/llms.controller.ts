import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Put, Query } from '@nestjs/common';
import { ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { ExpectedVersions, LlmView, Versioned } from '#libs/persistence';
import { Answers, Problems, ProblemsOfBody } from '../http/describe-answers.js';
import { AnswersVersioned, ChangesIfMatch, ExpectedVersion } from '../http/entity-tag.js';
import type { Page } from '../http/page.js';
import { Access, Tenant } from '../http/access.js';
import { LlmsCommands } from './llms.commands.js';
import {
  LlmDto,
  LlmFieldsDto,
  LlmIdParams,
  LlmListQuery,
  LlmPageDto,
  LlmPatchDto,
  LlmValidationDto,
} from './llms.dto.js';
import { LlmsQueries } from './llms.queries.js';
import { ValidateLlm } from './validate-llm.js';

/** Model configurations: which model, at which provider, with whose key. */
@ApiTags('model configurations')
@Controller('api/llms')
export class LlmsController {
  constructor(
    private readonly queries: LlmsQueries,
    private readonly commands: LlmsCommands,
    private readonly validateLlm: ValidateLlm,
  ) {}

  @Post()
  @Access('agents:write')
  @ApiOperation({ summary: 'Make a model configuration; its key is sealed and never shown again' })
  @AnswersVersioned(201, LlmDto, 'The new configuration.')
  @ProblemsOfBody(422)
  create(@Tenant() tenantId: string, @Body() fields: LlmFieldsDto): Promise<Versioned<LlmView>> {
    return this.commands.create(tenantId, fields);
  }

  @Get()
  @Access('agents:read')
  @ApiOperation({ summary: 'List model configurations' })
  @Answers(200, LlmPageDto, 'One page of configurations.')
  @Problems(400)
  list(@Tenant() tenantId: string, @Query() query: LlmListQuery): Promise<Page<LlmView>> {
    return this.queries.list(tenantId, query);
  }

  @Get(':id')
  @Access('agents:read')
  @ApiOperation({ summary: 'Read a model configuration' })
  @AnswersVersioned(200, LlmDto, 'The configuration.')
  @Problems(400, 404)
  find(@Tenant() tenantId: string, @Param() { id }: LlmIdParams): Promise<Versioned<LlmView>> {
    return this.queries.find(tenantId, id);
  }

  @Post(':id/validate')
  @Access('agents:write')
  @ApiOperation({ summary: 'Have a worker try a model configuration for real, and report what failed' })
  @Answers(200, LlmValidationDto, 'What the trial has shown.')
  @Problems(400, 404)
  validate(@Tenant() tenantId: string, @Param() { id }: LlmIdParams): Promise<LlmValidationDto> {
    return this.validateLlm.execute(tenantId, id);
  }
}

/** Changing or removing a model configuration. */
@ApiTags('model configurations')
@Controller('api/llms/:id')
@Access('agents:write')
export class LlmChangesController {
  constructor(private readonly commands: LlmsCommands) {}

  @Put()
  @ApiOperation({ summary: 'Replace a model configuration; a stored key stays unless a new one is given' })
  @ChangesIfMatch()
  @AnswersVersioned(200, LlmDto, 'The configuration as it is now.')
  @ProblemsOfBody(404, 422)
  replace(
    @Tenant() tenantId: string,
    @Param() { id }: LlmIdParams,
    @Body() fields: LlmFieldsDto,
    @ExpectedVersion() expected: ExpectedVersions,
  ): Promise<Versioned<LlmView>> {
    return this.commands.change(tenantId, id, fields, expected);
  }

  @Patch()
  @ApiOperation({ summary: 'Change some fields of a model configuration' })
  @ChangesIfMatch()
  @AnswersVersioned(200, LlmDto, 'The configuration as it is now.')
  @ProblemsOfBody(404, 422)
  patch(
    @Tenant() tenantId: string,
    @Param() { id }: LlmIdParams,
    @Body() fields: LlmPatchDto,
    @ExpectedVersion() expected: ExpectedVersions,
  ): Promise<Versioned<LlmView>> {
    return this.commands.change(tenantId, id, fields, expected);
  }

  @Delete()
  @HttpCode(204)
  @ApiOperation({ summary: 'Remove a model configuration that no agent refers to' })
  @ApiResponse({ status: 204, description: 'The configuration and its key are gone.' })
  @ChangesIfMatch()
  @Problems(400, 404, 409)
  remove(
    @Tenant() tenantId: string,
    @Param() { id }: LlmIdParams,
    @ExpectedVersion() expected: ExpectedVersions,
  ): Promise<void> {
    return this.commands.delete(tenantId, id, expected);
  }
}
