import { Module } from '@nestjs/common';
import { ModelFactory } from '#libs/executions';
import { ModelHosts, modelProviders, ProviderRegistry } from '#libs/model-providers';
import { ModelConnections } from './model-connections.js';
import { ProviderModelFactory } from './model.factory.js';

/** Model clients of tenants, and the connections to their providers. */
@Module({
  providers: [
    { provide: ProviderRegistry, useValue: modelProviders },
    ModelConnections,
    ModelHosts,
    { provide: ModelFactory, useClass: ProviderModelFactory },
  ],
  exports: [ProviderRegistry, ModelConnections, ModelFactory, ModelHosts],
})
export class ModelsModule {}
