import pg from 'pg';
import type { DataSource } from 'typeorm';
import { AppError } from '#libs/kernel';
import { createDataSource, type DatabaseOptions } from './data-source.js';
import { foldMigrations } from './fold-migrations.js';
import { assertFilesUnchanged, keepChecksums } from './migration-files.js';

/** One number for every process that migrates this database; others wait. */
const MIGRATION_LOCK = 4_711_001;

/** Runs more of the migration on the connection that holds the lock, e.g. another library's tables. */
export type AlsoMigrate = (client: pg.Client) => Promise<void>;

/**
 * Brings the database up to date, once, however many processes ask for it at the same time. Answers what was run. Throws
 * `INVALID_CONFIGURATION`, before anything has run, where a file that ran earlier was changed.
 */
export async function migrateDatabase(
  options: DatabaseOptions,
  alsoMigrate: AlsoMigrate,
): Promise<readonly string[]> {
  const client = new pg.Client({ connectionString: options.url, connectionTimeoutMillis: 5_000 });
  client.on('error', () => undefined);
  await connect(client);
  try {
    await client.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
    await foldMigrations(client);
    const applied = await runMigrations(options);
    await alsoMigrate(client);
    return applied;
  } finally {
    await client.end();
  }
}

/** The statements that would bring the tables in line with the entities; none when migrations and entities agree. */
export async function schemaDifferences(options: DatabaseOptions): Promise<readonly string[]> {
  const dataSource = await createDataSource(options).initialize();
  try {
    const log = await dataSource.driver.createSchemaBuilder().log();
    return log.upQueries.map((query) => query.query);
  } finally {
    await dataSource.destroy();
  }
}

/**
 * Throws `DATABASE_NOT_MIGRATED` when a table that this process needs is not there yet. Answers the migrations that its data
 * source does not have: those of a newer release, and of domains that are not loaded.
 */
export async function assertMigrated(dataSource: DataSource): Promise<readonly string[]> {
  const needed = dataSource.migrations.map((migration) => migration.name ?? migration.constructor.name);
  const applied = await appliedMigrations(dataSource);
  const missing = needed.filter((name) => !applied.includes(name));
  if (missing.length === 0) return applied.filter((name) => !needed.includes(name));
  throw new AppError({
    code: 'DATABASE_NOT_MIGRATED',
    kind: 'unavailable',
    message: `DATABASE_URL: the database lacks ${missing.length} of ${needed.length} migrations; run "npx capstan migrate", or "npm run db:migrate" in a checkout`,
  });
}

async function connect(client: pg.Client): Promise<void> {
  try {
    await client.connect();
  } catch (cause) {
    const reason = cause instanceof Error && 'code' in cause ? String(cause.code) : 'no answer';
    throw new AppError({
      code: 'DATABASE_UNAVAILABLE',
      kind: 'unavailable',
      message: `DATABASE_URL: the database cannot be reached with it (${reason})`,
      retryable: true,
      cause,
    });
  }
}

async function runMigrations(options: DatabaseOptions): Promise<readonly string[]> {
  const dataSource = await createDataSource({ ...options, poolSize: 2 }).initialize();
  try {
    await assertFilesUnchanged(dataSource);
    const migrations = await dataSource.runMigrations();
    await keepChecksums(dataSource);
    return migrations.map((migration) => migration.name);
  } finally {
    await dataSource.destroy();
  }
}

async function appliedMigrations(dataSource: DataSource): Promise<string[]> {
  const [table] = await dataSource.query<{ exists: boolean }[]>(
    `SELECT to_regclass('schema_migration') IS NOT NULL AS exists`,
  );
  if (table?.exists !== true) return [];
  const rows = await dataSource.query<{ name: string }[]>('SELECT name FROM schema_migration');
  return rows.map((row) => row.name);
}
