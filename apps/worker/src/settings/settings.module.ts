import { Module, type DynamicModule } from '@nestjs/common';
import type { AppConfig } from '#libs/config';
import type { Logger } from '#libs/observability';
import { LOGGER, WORKER_CONFIG } from '../worker.tokens.js';

/** Provides configuration and logger of the process to every module. */
@Module({})
export class SettingsModule {
  static forRoot(config: AppConfig, logger: Logger): DynamicModule {
    return {
      module: SettingsModule,
      global: true,
      providers: [
        { provide: WORKER_CONFIG, useValue: config },
        { provide: LOGGER, useValue: logger },
      ],
      exports: [WORKER_CONFIG, LOGGER],
    };
  }
}
