import type { TypeOrmModuleOptions } from '@nestjs/typeorm';
import type { AppConfig } from '#libs/config';
import type { Logger } from '#libs/observability';
import { dataSourceOptions } from '#libs/persistence';
import { domains } from '../domains.js';

/** The API's data source: one try to connect, since whoever starts the process sees the reason and starts it again. */
export function databaseOptions(config: AppConfig, logger: Logger): TypeOrmModuleOptions {
  return {
    ...dataSourceOptions({
      url: config.database.url,
      poolSize: config.database.poolSize,
      isPreparing: config.database.isPreparing,
      applicationName: 'capstan-api',
      queryTimeoutMs: config.database.queryTimeoutMs,
      pingEveryMs: config.database.pingEveryMs,
      entities: domains.entities,
      migrations: domains.migrations,
      onPoolError: (err) => logger.warn({ err }, 'database connection lost'),
    }),
    retryAttempts: 0,
  };
}
