import type { DataSource } from 'typeorm';
import { AppError } from '#libs/kernel';

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
