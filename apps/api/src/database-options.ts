import type { TypeOrmModuleOptions } from '@nestjs/typeorm';
import type { AppConfig } from '#libs/config';
import type { Logger } from '#libs/observability';
import { configuredDataSource } from '#libs/persistence';
import { domains } from './domains.js';

/** Data source options of the API. */
export function databaseOptions({ database }: AppConfig, logger: Logger): TypeOrmModuleOptions {
  const { migrations } = domains;
  const { poolSize } = database;
  return configuredDataSource(database, { applicationName: 'capstan-api', poolSize, migrations }, (err) =>
    logger.warn({ err }, 'database connection lost'),
  );
}
