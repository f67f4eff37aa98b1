import type { TypeOrmModuleOptions } from '@nestjs/typeorm';
import type { AppConfig } from '#libs/config';
import type { Logger } from '#libs/observability';
import { configuredDataSource } from '#libs/persistence';
import { domains } from './domains.js';

/** The API's data source. Its statements filter by what a client asks for: one plan for all values would not do. */
export function databaseOptions({ database }: AppConfig, logger: Logger): TypeOrmModuleOptions {
  const { entities, migrations } = domains;
  const { poolSize } = database;
  return configuredDataSource(
    database,
    { applicationName: 'capstan-api', poolSize, hasGenericPlans: false, entities, migrations },
    (err) => logger.warn({ err }, 'database connection lost'),
  );
}
