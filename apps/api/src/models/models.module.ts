import { Module } from '@nestjs/common';
import { ModelCatalogue, modelProviders, ProviderRegistry } from '#libs/model-providers';
import { ModelsController } from './models.controller.js';

/** The models that the providers of this release have. */
@Module({
  controllers: [ModelsController],
  providers: [
    { provide: ProviderRegistry, useValue: modelProviders },
    { provide: ModelCatalogue, useValue: new ModelCatalogue(modelProviders) },
  ],
  exports: [ProviderRegistry, ModelCatalogue],
})
export class ModelsModule {}
