import { Controller, Get } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { z } from 'zod';
import {
  describeProvider,
  ModelCatalogue,
  modelDescriptionSchema,
  providerDescriptionSchema,
  ProviderRegistry,
} from '#libs/model-providers';
import { Answers, Problems } from '../http/describe-answers.js';
import { Access } from '../http/access.js';
import { createZodDto } from '../http/zod-dto.js';

export class ModelListDto extends createZodDto(
  z.object({
    data: z.array(modelDescriptionSchema),
    providers: z
      .array(providerDescriptionSchema)
      .describe('Who can be asked, what each needs to be filled in, and what its calls understand.'),
  }),
) {}

/** The catalogue of models with their parameters, features and prices (S1-12 … S1-14). */
@ApiTags('model configurations')
@Controller('api/models')
@Access('agents:read')
export class ModelsController {
  constructor(
    private readonly catalogue: ModelCatalogue,
    private readonly providers: ProviderRegistry,
  ) {}

  @Get()
  @ApiOperation({ summary: 'List the models that need no set-up; any other id is a customizable model' })
  @Answers(200, ModelListDto, 'The catalogue, in the order in which forms show it.')
  @Problems()
  list(): ModelListDto {
    return { data: [...this.catalogue.list()], providers: this.providers.list().map(describeProvider) };
  }
}
