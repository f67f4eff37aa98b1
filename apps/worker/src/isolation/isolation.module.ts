import { Module, type DynamicModule } from '@nestjs/common';
import type { AppConfig } from '#libs/config';
import { LeaseHolder } from '#libs/executions';
import { systemClock } from '#libs/kernel';
import type { Logger } from '#libs/observability';
import { attemptProviders } from '../execute/attempt.providers.js';
import { storageImports } from '../storage.imports.js';
import { LOGGER, WORKER_CONFIG } from '../worker.tokens.js';
import { ParentWorker, type ParentPort } from './parent-worker.js';

/** One attempt at a time writes at one place at a time. */
const CONNECTIONS = 3;

/** What one attempt needs, and nothing else: no queue, no health, no housekeeping, no presence of its own. */
@Module({})
export class IsolationModule {
  static forRoot(config: AppConfig, logger: Logger, port: ParentPort): DynamicModule {
    return {
      module: IsolationModule,
      global: true,
      imports: storageImports(config, logger, { applicationName: 'capstan-isolated', poolSize: CONNECTIONS }),
      providers: [
        { provide: WORKER_CONFIG, useValue: config },
        { provide: LOGGER, useValue: logger },
        { provide: ParentWorker, useValue: new ParentWorker(port, config.execution.leaseMs, systemClock) },
        { provide: LeaseHolder, useExisting: ParentWorker },
        ...attemptProviders,
      ],
    };
  }
}
