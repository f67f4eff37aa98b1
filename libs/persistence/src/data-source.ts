import { DataSource, type DataSourceOptions, type EntitySchema, type MigrationInterface } from 'typeorm';
import { coreEntities } from './entities/index.js';
import { coreMigrations } from './migrations/index.js';
import { PreparingClient } from './preparing-client.js';

type EntityClass = new () => object;

export interface DatabaseOptions {
  readonly url: string;
  /** Connections of this process. */
  readonly poolSize?: number;
  /** How long a database that is frozen can hold up a caller, in milliseconds; without limit when omitted. */
  readonly queryTimeoutMs?: number;
  /** Whether connections keep the statements that were sent once; by default not. */
  readonly isPreparing?: boolean;
  /** Shown in `pg_stat_activity`. */
  readonly applicationName?: string;
  /** What other libraries keep in the same database. */
  readonly entities?: readonly (EntityClass | EntitySchema)[];
  readonly migrations?: readonly (new () => MigrationInterface)[];
  /** Called when an idle connection breaks; without a listener that would end the process. */
  onPoolError?(error: Error): void;
}

/** The options of the one data source of a process, for `new DataSource` or for Nest's TypeORM module. */
export function dataSourceOptions(options: DatabaseOptions): DataSourceOptions {
  return {
    type: 'postgres',
    url: options.url,
    applicationName: options.applicationName ?? 'capstan',
    entities: [...coreEntities, ...(options.entities ?? [])],
    migrations: [...coreMigrations, ...(options.migrations ?? [])],
    migrationsTableName: 'schema_migration',
    migrationsTransactionMode: 'each',
    synchronize: false,
    logging: false,
    poolErrorHandler: (error: Error) => options.onPoolError?.(error),
    connectTimeoutMS: 5_000,
    extra: {
      max: options.poolSize ?? 10,
      keepAlive: true,
      query_timeout: options.queryTimeoutMs,
      ...(options.isPreparing === true && { Client: PreparingClient }),
    },
  };
}

export function createDataSource(options: DatabaseOptions): DataSource {
  return new DataSource(dataSourceOptions(options));
}
