import pg from 'pg';
import type { DataSource } from 'typeorm';

/** The pool behind a data source, for what speaks plain `pg`. */
export function poolOf(dataSource: DataSource): pg.Pool {
  const { driver } = dataSource;
  if ('master' in driver && driver.master instanceof pg.Pool) return driver.master;
  throw new Error('the data source has no PostgreSQL pool');
}

export async function checkDatabase(dataSource: DataSource): Promise<void> {
  await dataSource.query('SELECT 1');
}
