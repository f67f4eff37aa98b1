import { Body, Controller, Get, Param, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { LlmView, Versioned } from '#libs/persistence';
import { Answers, Problems, ProblemsOfBody } from '../http/describe-answers.js';
import { AnswersVersioned } from '../http/entity-tag.js';
import type { Page } from '../http/page.js';
import { Tenant } from '../http/principal.js';
import { Access } from '../http/scopes.js';
import { CreateLlm } from './create-llm.use-case.js';
import { FindLlm } from './find-llm.use-case.js';
import { ListLlms } from './list-llms.use-case.js';
import { LlmDto, LlmFieldsDto, LlmIdParams, LlmListQuery, LlmPageDto, LlmValidationDto } from './llm.dto.js';
import { ValidateLlm } from './validate-llm.use-case.js';

/** Model configurations: which model, at which provider, with whose key. */
@ApiTags('model configurations')
@Controller('api/llms')
export class LlmsController {
  constructor(
    private readonly createLlm: CreateLlm,
    private readonly listLlms: ListLlms,
    private readonly findLlm: FindLlm,
    private readonly validateLlm: ValidateLlm,
  ) {}

  @Post()
  @Access('agents:write')
  @ApiOperation({ summary: 'Make a model configuration; its key is sealed and never shown again' })
  @AnswersVersioned(201, LlmDto, 'The new configuration.')
  @ProblemsOfBody(422)
  create(@Tenant() tenantId: string, @Body() fields: LlmFieldsDto): Promise<Versioned<LlmView>> {
    return this.createLlm.execute(tenantId, fields);
  }

  @Get()
  @Access('agents:read')
  @ApiOperation({ summary: 'List model configurations' })
  @Answers(200, LlmPageDto, 'One page of configurations.')
  @Problems(400)
  list(@Tenant() tenantId: string, @Query() query: LlmListQuery): Promise<Page<LlmView>> {
    return this.listLlms.execute(tenantId, query);
  }

  @Get(':id')
  @Access('agents:read')
  @ApiOperation({ summary: 'Read a model configuration' })
  @AnswersVersioned(200, LlmDto, 'The configuration.')
  @Problems(400, 404)
  find(@Tenant() tenantId: string, @Param() { id }: LlmIdParams): Promise<Versioned<LlmView>> {
    return this.findLlm.execute(tenantId, id);
  }

  @Post(':id/validate')
  @Access('agents:write')
  @ApiOperation({ summary: 'Try a model configuration for real, and report what failed' })
  @Answers(200, LlmValidationDto, 'What the trial has shown.')
  @Problems(400, 404)
  validate(@Tenant() tenantId: string, @Param() { id }: LlmIdParams): Promise<LlmValidationDto> {
    return this.validateLlm.execute(tenantId, id);
  }
}
