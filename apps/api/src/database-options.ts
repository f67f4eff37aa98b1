import type { TypeOrmModuleOptions } from '@nestjs/typeorm';
import type { AppConfig } from '#libs/config';
import type { Logger } from '#libs/observability';
import { configuredDataSource } from '#libs/persistence';
import { domains } from './domains.js';

/** Data source options of the API. Generic plans are off, since the best plan depends on a client's filter values. */
export function databaseOptions({ database }: AppConfig, logger: Logger): TypeOrmModuleOptions {
  const { migrations } = domains;
  const { poolSize } = database;
  return configuredDataSource(
    database,
    { applicationName: 'capstan-api', poolSize, hasGenericPlans: false, migrations },
    (err) => logger.warn({ err }, 'database connection lost'),
  );
}
