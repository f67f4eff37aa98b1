import type { DynamicModule } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import type { AppConfig } from '#libs/config';
import { chooseEventStream, EventStreamModule } from '#libs/event-stream';
import type { Logger } from '#libs/observability';
import { configuredDataSource, PersistenceModule, poolOf } from '#libs/persistence';
import { SecretsModule } from '#libs/secrets';
import { DataSource } from 'typeorm';
import { domains } from './domains.js';
import { SettingsModule } from './settings/settings.module.js';

export interface StorageOptions {
  /** Name in `pg_stat_activity`. */
  readonly applicationName: string;
  readonly poolSize: number;
  /** Whether events of executions without a follower are written later; costs a connection. */
  readonly hearsFollowers: boolean;
}

/** Global modules of a process that runs attempts: settings, database with its stores, secrets and live events. */
export function surroundings(config: AppConfig, logger: Logger, process: StorageOptions): DynamicModule[] {
  const { migrations } = domains;
  const { hearsFollowers, ...database } = process;
  return [
    SettingsModule.forRoot(config, logger),
    TypeOrmModule.forRoot(
      configuredDataSource(config.database, { ...database, migrations }, (err) =>
        logger.warn({ err }, 'database connection lost'),
      ),
    ),
    PersistenceModule.forRoot(config.mostWorkspaceBytes),
    SecretsModule.forRoot(config.encryptionKey),
    EventStreamModule.forRoot({
      inject: [DataSource],
      useFactory: (dataSource: DataSource) =>
        chooseEventStream(config, {
          pool: poolOf(dataSource),
          log: (message, details) => {
            logger.warn(details, message);
          },
          hearsFollowers,
        }),
    }),
  ];
}
