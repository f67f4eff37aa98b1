import { Body, Controller, Delete, HttpCode, Param, Patch, Put } from '@nestjs/common';
import { ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { ExpectedVersions, LlmView, Versioned } from '#libs/persistence';
import { Problems, ProblemsOfBody } from '../http/describe-answers.js';
import { AnswersVersioned, ChangesIfMatch, ExpectedVersion } from '../http/entity-tag.js';
import { Tenant } from '../http/principal.js';
import { Access } from '../http/scopes.js';
import { ChangeLlm } from './change-llm.use-case.js';
import { DeleteLlm } from './delete-llm.use-case.js';
import { LlmDto, LlmFieldsDto, LlmIdParams, LlmPatchDto } from './llm.dto.js';

/** Changing or removing a model configuration. */
@ApiTags('model configurations')
@Controller('api/llms/:id')
@Access('agents:write')
export class LlmChangesController {
  constructor(
    private readonly changeLlm: ChangeLlm,
    private readonly deleteLlm: DeleteLlm,
  ) {}

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
    return this.changeLlm.execute(tenantId, id, fields, expected);
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
    return this.changeLlm.execute(tenantId, id, fields, expected);
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
    return this.deleteLlm.execute(tenantId, id, expected);
  }
}
