import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { z } from 'zod';
import {
  describeProvider,
  ModelCatalogue,
  modelDescriptionSchema,
  modelProviders,
  providerDescriptionSchema,
  ProviderRegistry,
} from '#libs/model-providers';
import { Operation } from '../http/operation.js';
import { Answers, Problems } from '../http/describe-answers.js';
import { Access } from '../http/access.js';
import { createZodDto } from '../http/zod-dto.js';

export class ModelListDto extends createZodDto(
  z.object({
    data: z.array(modelDescriptionSchema),
    providers: z
      .array(providerDescriptionSchema)
      .describe('The providers, the fields that each needs, and the parameters that its calls take.'),
  }),
  {
    data: new ModelCatalogue(modelProviders).list().slice(0, 1),
    providers: modelProviders
      .list()
      .slice(0, 1)
      .map((provider) => describeProvider(provider)),
  },
) {}

/** Lists models with their parameters, features and prices (S1-12 … S1-14). */
@ApiTags('model configurations')
@Controller('api/models')
@Access('agents:read')
export class ModelsController {
  constructor(
    private readonly catalogue: ModelCatalogue,
    private readonly providers: ProviderRegistry,
  ) {}

  @Get()
  @Operation(
    'listModels',
    'List models',
    'The models that need no set-up, with parameters, features and prices, and the providers. Any other model id is used as a customizable model.',
  )
  @Answers(200, ModelListDto, 'The catalogue, in the order in which forms show it.')
  @Problems()
  list(): ModelListDto {
    const { catalogue } = this;
    const providers = this.providers
      .list()
      .map((provider) => describeProvider(provider, catalogue.aliasesOf(provider.id)));
    return { data: [...catalogue.list()], providers };
  }
}
