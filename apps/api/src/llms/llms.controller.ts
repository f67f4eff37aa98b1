import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Put, Query } from '@nestjs/common';
import { ApiResponse, ApiTags } from '@nestjs/swagger';
import type { ExpectedVersions, LlmView, Versioned } from '#libs/persistence';
import { Operation } from '../http/operation.js';
import { Answers, Problems, ProblemsOfBody } from '../http/describe-answers.js';
import { AnswersVersioned, ChangesIfMatch, ExpectedVersion } from '../http/entity-tag.js';
import type { Page } from '../http/page.js';
import { AnswersMadeVersioned } from '../http/location.js';
import { Access, Tenant } from '../http/access.js';
import { ChangesNothing } from '../idempotency/route-keys.js';
import { LlmsService } from './llms.service.js';
import {
  LlmDto,
  LlmFieldsDto,
  LlmIdParams,
  LlmListQuery,
  LlmPageDto,
  LlmPatchDto,
  LlmValidationDto,
} from './llms.dto.js';
import { ValidateLlm } from './validate-llm.js';

/** Manages model configurations: model, provider and key. */
@ApiTags('model configurations')
@Controller('api/llms')
export class LlmsController {
  constructor(
    private readonly llms: LlmsService,
    private readonly validateLlm: ValidateLlm,
  ) {}

  @Post()
  @Access('agents:write')
  @Operation(
    'createLlm',
    'Create a model configuration',
    'A model configuration names a model, its provider and its key. The key is stored encrypted and never shown again; `api_key_hint` has its last four characters.',
  )
  @AnswersMadeVersioned(LlmDto, '/api/llms/', 'The new configuration.')
  @ProblemsOfBody(422)
  create(@Tenant() tenantId: string, @Body() fields: LlmFieldsDto): Promise<Versioned<LlmView>> {
    return this.llms.create(tenantId, fields);
  }

  @Get()
  @Access('agents:read')
  @Operation('listLlms', 'List model configurations', 'Ordered by ascending id, without keys.')
  @Answers(200, LlmPageDto, 'One page of configurations.')
  @Problems(400)
  list(@Tenant() tenantId: string, @Query() query: LlmListQuery): Promise<Page<LlmView>> {
    return this.llms.list(tenantId, query);
  }

  @Get(':id')
  @Access('agents:read')
  @Operation(
    'getLlm',
    'Read a model configuration',
    'Without the key. The `ETag` is its version; send it as `If-Match` to change only that version.',
  )
  @AnswersVersioned(200, LlmDto, 'The configuration.')
  @Problems(400, 404)
  find(@Tenant() tenantId: string, @Param() { id }: LlmIdParams): Promise<Versioned<LlmView>> {
    return this.llms.find(tenantId, id);
  }

  @Post(':id/validate')
  @ChangesNothing('It tries the model, and changes no configuration.')
  @Access('agents:write')
  @Operation(
    'validateLlm',
    'Validate a model configuration',
    'A worker sends the model a short request with the stored key and reports the result. A refusal is an answer too: 200 with its message.',
  )
  @Answers(200, LlmValidationDto, 'The result of the trial.')
  @Problems(400, 404)
  validate(@Tenant() tenantId: string, @Param() { id }: LlmIdParams): Promise<LlmValidationDto> {
    return this.validateLlm.execute(tenantId, id);
  }
}

/** Changes and deletes model configurations. */
@ApiTags('model configurations')
@Controller('api/llms/:id')
@Access('agents:write')
export class LlmChangesController {
  constructor(private readonly llms: LlmsService) {}

  @Put()
  @Operation(
    'replaceLlm',
    'Replace a model configuration',
    'Omitted fields get their defaults; the stored key stays unless a new one is given.',
  )
  @ChangesIfMatch()
  @AnswersVersioned(200, LlmDto, 'The configuration as it is now.')
  @ProblemsOfBody(404, 422)
  replace(
    @Tenant() tenantId: string,
    @Param() { id }: LlmIdParams,
    @Body() fields: LlmFieldsDto,
    @ExpectedVersion() expected: ExpectedVersions,
  ): Promise<Versioned<LlmView>> {
    return this.llms.change(tenantId, id, fields, expected);
  }

  @Patch()
  @Operation('updateLlm', 'Change some fields of a model configuration', 'Omitted fields stay as they are.')
  @ChangesIfMatch()
  @AnswersVersioned(200, LlmDto, 'The configuration as it is now.')
  @ProblemsOfBody(404, 422)
  patch(
    @Tenant() tenantId: string,
    @Param() { id }: LlmIdParams,
    @Body() fields: LlmPatchDto,
    @ExpectedVersion() expected: ExpectedVersions,
  ): Promise<Versioned<LlmView>> {
    return this.llms.change(tenantId, id, fields, expected);
  }

  @Delete()
  @HttpCode(204)
  @Operation(
    'deleteLlm',
    'Delete a model configuration',
    'Deletes its key too. Answers 409 while an agent refers to it.',
  )
  @ApiResponse({ status: 204, description: 'The configuration and its key are gone.' })
  @ChangesIfMatch()
  @Problems(400, 404, 409)
  remove(
    @Tenant() tenantId: string,
    @Param() { id }: LlmIdParams,
    @ExpectedVersion() expected: ExpectedVersions,
  ): Promise<void> {
    return this.llms.delete(tenantId, id, expected);
  }
}
