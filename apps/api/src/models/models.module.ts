import { Module } from '@nestjs/common';
import { ModelCatalogue, modelProviders, ProviderRegistry } from '#libs/model-providers';
import { ModelsController } from './models.controller.js';

/** Models of the providers in this release. */
@Module({
  controllers: [ModelsController],
  providers: [
    { provide: ProviderRegistry, useValue: modelProviders },
    { provide: ModelCatalogue, useValue: new ModelCatalogue(modelProviders) },
  ],
  exports: [ProviderRegistry, ModelCatalogue],
})
export class ModelsModule {}
