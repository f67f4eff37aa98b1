import type { AppConfig } from '#libs/config';
import pg from 'pg';
import { DataSource, type DataSourceOptions, type EntitySchema, type MigrationInterface } from 'typeorm';
import { coreEntities } from './entities/index.js';
import { coreMigrations } from './migrations/index.js';
import { AnsweringClient } from './answering-client.js';
import { PreparingClient } from './preparing-client.js';
import { watchedConnections, type WatchedConnectionOptions } from './watched-connections.js';

type EntityClass = new () => object;

/**
 * How long PostgreSQL waits for the next statement of a transaction. A process that is frozen between two of them would
 * hold its locks, and with them everybody who is to take over, for as long as it is frozen.
 */
const IDLE_IN_TRANSACTION_MS = 5_000;

/**
 * A plan that is kept was made when its tables had as many rows as they had then, none perhaps: then to read all of a table,
 * or all of an index by way of a bitmap, looks as cheap as to look up what is asked for, and goes on for as long as the plan
 * is kept, whatever has come in since. A bitmap also leaves the entries of dead rows in the index for every later scan.
 */
const GENERIC_PLANS = ['plan_cache_mode=force_generic_plan', 'enable_seqscan=off', 'enable_bitmapscan=off']
  .map((setting) => ` -c ${setting}`)
  .join('');

/** PostgreSQL up to 17 compiles statements that look costly, for seconds; ours look costly and take milliseconds. */
const NO_JIT = '-c jit=off';

export interface DatabaseOptions extends WatchedConnectionOptions {
  readonly url: string;
  /** Connections of this process. */
  readonly poolSize?: number;
  /** Whether connections keep the statements that were sent once; by default not. */
  readonly isPreparing?: boolean;
  /** Whether `url` leads to a pooler, which knows no settings of a session; by default not. */
  readonly isPooled?: boolean;
  /**
   * Whether kept statements are planned once for all values, and from index to index: for who looks up by keys only, where
   * plans do not differ.
   */
  readonly hasGenericPlans?: boolean;
  /** Shown in `pg_stat_activity`. */
  readonly applicationName?: string;
  /** What other libraries keep in the same database. */
  readonly entities?: readonly (EntityClass | EntitySchema)[];
  readonly migrations?: readonly (new () => MigrationInterface)[];
  /** Called when an idle connection breaks; without a listener that would end the process. */
  onPoolError?(error: Error): void;
}

/** The options of the one data source of a process, for `new DataSource` or for Nest's TypeORM module. */
function dataSourceOptions(options: DatabaseOptions): DataSourceOptions {
  return {
    type: 'postgres',
    // In a bundle, what TypeORM looks for by a name would be there a second time.
    driver: pg,
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
      ...watchedConnections(options, options.isPreparing === true ? PreparingClient : AnsweringClient),
      max: options.poolSize ?? 8,
      ...sessionSettings(options),
    },
  };
}

/** Parameters of a new session. A pooler refuses a client that brings any, or drops them. */
function sessionSettings({ isPooled, hasGenericPlans }: DatabaseOptions): pg.PoolConfig {
  if (isPooled === true) return { statement_timeout: false };
  return {
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
    options: NO_JIT + (hasGenericPlans === true ? GENERIC_PLANS : ''),
  };
}

/** What of its data source a process chooses by itself. */
export type ProcessDatabase = Required<
  Pick<DatabaseOptions, 'applicationName' | 'poolSize' | 'hasGenericPlans' | 'entities' | 'migrations'>
>;

/**
 * The data source of a process that serves, as its configuration says, for Nest's TypeORM module: one try to connect, since
 * whoever starts the process sees the reason and starts it again.
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
