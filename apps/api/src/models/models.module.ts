import { Module } from '@nestjs/common';
import type { AppConfig } from '#libs/config';
import { ModelCatalogue, modelProviders, ProviderRegistry } from '#libs/model-providers';
import { API_CONFIG } from '../api.tokens.js';
import { ModelsController } from './models.controller.js';

/** Models of the providers in this release. */
@Module({
  controllers: [ModelsController],
  providers: [
    { provide: ProviderRegistry, useValue: modelProviders },
    {
      provide: ModelCatalogue,
      inject: [API_CONFIG],
      useFactory: ({ models }: AppConfig) => new ModelCatalogue(modelProviders, models.aliases),
    },
  ],
  exports: [ProviderRegistry, ModelCatalogue],
})
export class ModelsModule {}
