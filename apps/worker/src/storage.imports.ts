import type { DynamicModule } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import type { AppConfig } from '#libs/config';
import { chooseEventStream, EventStreamModule } from '#libs/event-stream';
import type { Logger } from '#libs/observability';
import { configuredDataSource, poolOf } from '#libs/persistence';
import { DataSource } from 'typeorm';
import { domains } from './domains.js';

export interface StorageOptions {
  /** Shown in `pg_stat_activity`. */
  readonly applicationName: string;
  readonly poolSize: number;
  /** As `DatabaseOptions` has it. */
  readonly hasGenericPlans: boolean;
}

/** The database and the live events of a process. */
export function storageImports(config: AppConfig, logger: Logger, process: StorageOptions): DynamicModule[] {
  const { entities, migrations } = domains;
  return [
    TypeOrmModule.forRoot(
      configuredDataSource(config.database, { ...process, entities, migrations }, (err) =>
        logger.warn({ err }, 'database connection lost'),
      ),
    ),
    EventStreamModule.forRoot({
      inject: [DataSource],
      useFactory: (dataSource: DataSource) =>
        chooseEventStream(config, poolOf(dataSource), (message, details) => {
          logger.warn(details, message);
        }),
    }),
  ];
}
