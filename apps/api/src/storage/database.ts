import type { TypeOrmModuleOptions } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import type { AppConfig } from '#libs/config';
import { AppError } from '#libs/kernel';
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

/** Throws `DATABASE_NOT_MIGRATED` when a table that this release needs is not there yet. */
export async function assertMigrated(dataSource: DataSource): Promise<void> {
  const needed = dataSource.migrations.map((migration) => migration.name ?? migration.constructor.name);
  const applied = new Set(await appliedMigrations(dataSource));
  const missing = needed.filter((name) => !applied.has(name));
  if (missing.length === 0) return;
  throw new AppError({
    code: 'DATABASE_NOT_MIGRATED',
    kind: 'unavailable',
    message: `DATABASE_URL: the database lacks ${missing.length} of ${needed.length} migrations; run "npm run db:migrate"`,
  });
}

async function appliedMigrations(dataSource: DataSource): Promise<string[]> {
  const [table] = await dataSource.query<{ exists: boolean }[]>(
    `SELECT to_regclass('schema_migration') IS NOT NULL AS exists`,
  );
  if (table?.exists !== true) return [];
  const rows = await dataSource.query<{ name: string }[]>('SELECT name FROM schema_migration');
  return rows.map((row) => row.name);
}
