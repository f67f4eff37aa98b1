import { Body, Controller, Delete, HttpCode, Param, Patch, Put } from '@nestjs/common';
import { ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { LlmView } from '#libs/persistence';
import { Answers, Problems, ProblemsOfBody } from '../http/describe-answers.js';
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
  @Answers(200, LlmDto, 'The configuration as it is now.')
  @ProblemsOfBody(404, 422)
  replace(
    @Tenant() tenantId: string,
    @Param() { id }: LlmIdParams,
    @Body() fields: LlmFieldsDto,
  ): Promise<LlmView> {
    return this.changeLlm.execute(tenantId, id, fields);
  }

  @Patch()
  @ApiOperation({ summary: 'Change some fields of a model configuration' })
  @Answers(200, LlmDto, 'The configuration as it is now.')
  @ProblemsOfBody(404, 422)
  patch(
    @Tenant() tenantId: string,
    @Param() { id }: LlmIdParams,
    @Body() fields: LlmPatchDto,
  ): Promise<LlmView> {
    return this.changeLlm.execute(tenantId, id, fields);
  }

  @Delete()
  @HttpCode(204)
  @ApiOperation({ summary: 'Remove a model configuration that no agent refers to' })
  @ApiResponse({ status: 204, description: 'The configuration and its key are gone.' })
  @Problems(400, 404, 409)
  remove(@Tenant() tenantId: string, @Param() { id }: LlmIdParams): Promise<void> {
    return this.deleteLlm.execute(tenantId, id);
  }
}
