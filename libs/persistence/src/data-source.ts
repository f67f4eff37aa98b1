import type { AppConfig } from '#libs/config';
import pg from 'pg';
import { DataSource, type DataSourceOptions, type MigrationInterface } from 'typeorm';
import { coreEntities } from './entities/index.js';
import { coreMigrations } from './migrations/index.js';
import { AnsweringClient } from './answering-client.js';
import { KEPT } from './plan-settings.js';
import { PreparingClient } from './preparing-client.js';
import { watchedConnections, type WatchedConnectionOptions } from './watched-connections.js';

/**
 * Time for which PostgreSQL waits for the next statement of a transaction, in ms. Without it a process that freezes within a
 * transaction would hold its locks, and so block its successors, for as long as it is frozen.
 */
const IDLE_IN_TRANSACTION_MS = 5_000;

const KEPT_PLANS = Object.entries(KEPT)
  .map(([name, value]) => ` -c ${name}=${value}`)
  .join('');

/** PostgreSQL up to 17 compiles statements that look costly, for seconds; those of this service take milliseconds. */
const NO_JIT = '-c jit=off';

export interface DatabaseOptions extends WatchedConnectionOptions {
  readonly url: string;
  /** Connections of this process. */
  readonly poolSize?: number;
  /**
   * Whether connections keep the statements that were sent once, planned once for all values and by index scans only; by
   * default not. A statement that is planned anew has its values and every kind of scan.
   */
  readonly isPreparing?: boolean;
  /** Whether `url` leads to a pooler, which knows no settings of a session; by default not. */
  readonly isPooled?: boolean;
  /** Shown in `pg_stat_activity`. */
  readonly applicationName?: string;
  readonly migrations?: readonly (new () => MigrationInterface)[];
  /** Called when an idle connection breaks; without a listener that would end the process. */
  onPoolError?(error: Error): void;
}

/** The options of the one data source of a process, for `new DataSource` or for Nest's TypeORM module. */
function dataSourceOptions(options: DatabaseOptions): DataSourceOptions {
  return {
    type: 'postgres',
    // In a bundle TypeORM would load a second copy of the driver by its name.
    driver: pg,
    url: options.url,
    applicationName: options.applicationName ?? 'capstan',
    entities: [...coreEntities],
    migrations: [...coreMigrations, ...(options.migrations ?? [])],
    migrationsTableName: 'schema_migration',
    migrationsTransactionMode: 'each',
    synchronize: false,
    logging: false,
    poolErrorHandler: (error: Error) => options.onPoolError?.(error),
    connectTimeoutMS: 5_000,
    extra: {
      ...watchedConnections(options, options.isPreparing === true ? PreparingClient : AnsweringClient),
      max: options.poolSize ?? 8,
      ...sessionSettings(options),
    },
  };
}

/** Parameters of a new session. A pooler refuses a client that brings any, or drops them. */
function sessionSettings({ isPooled, isPreparing }: DatabaseOptions): pg.PoolConfig {
  if (isPooled === true) return { statement_timeout: false };
  return {
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
    options: NO_JIT + (isPreparing === true ? KEPT_PLANS : ''),
  };
}

/** Options of the data source that each program sets itself. */
export type ProcessDatabase = Required<Pick<DatabaseOptions, 'applicationName' | 'poolSize' | 'migrations'>>;

/**
 * Options of the data source of a serving process, for Nest's TypeORM module. It tries to connect once: a supervisor sees
 * the reason of a failure and starts the process again.
 */
export function configuredDataSource(
  { url, isPreparing, isPooled, queryTimeoutMs, pingEveryMs }: AppConfig['database'],
  process: ProcessDatabase,
  onPoolError: (error: Error) => void,
): DataSourceOptions & { readonly retryAttempts: number } {
  const options = dataSourceOptions({
    url,
    isPreparing,
    isPooled,
    queryTimeoutMs,
    pingEveryMs,
    ...process,
    onPoolError,
  });
  return { ...options, retryAttempts: 0 };
}

export function createDataSource(options: DatabaseOptions): DataSource {
  return new DataSource(dataSourceOptions(options));
}
