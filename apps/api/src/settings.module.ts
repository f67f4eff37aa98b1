import { Module, type DynamicModule } from '@nestjs/common';
import type { AppConfig } from '#libs/config';
import type { Logger } from '#libs/observability';
import { API_CONFIG, API_LOGGER } from './api.tokens.js';

/** Provides configuration and logger of the process to every module. */
@Module({})
export class SettingsModule {
  static forRoot(config: AppConfig, logger: Logger): DynamicModule {
    return {
      module: SettingsModule,
      global: true,
      providers: [
        { provide: API_CONFIG, useValue: config },
        { provide: API_LOGGER, useValue: logger },
      ],
      exports: [API_CONFIG, API_LOGGER],
    };
  }
}
