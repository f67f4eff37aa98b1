import pg from 'pg';
import { AnsweringClient } from './answering-client.js';
import type { DataSource } from 'typeorm';

/** The pool behind a data source, for libraries that use plain `pg`. */
export function poolOf(dataSource: DataSource): pg.Pool {
  const { driver } = dataSource;
  if ('master' in driver && driver.master instanceof pg.Pool) return driver.master;
  throw new Error('the data source has no PostgreSQL pool');
}

/** Resolves if the database answers on a new connection within about this time. Throws if it does not. */
export async function checkDatabaseAfresh(connectionString: string, withinMs: number): Promise<void> {
  const client = new AnsweringClient({
    connectionString,
    application_name: 'capstan-check',
    connectionTimeoutMillis: withinMs,
    query_timeout: withinMs,
  });
  try {
    await client.connect();
    await client.query('SELECT 1');
  } finally {
    // Not awaited: the end of a connection that does not answer never comes.
    void client.end().catch(() => undefined);
  }
}

/** Resolves if the database answers on a connection of the pool. */
export async function checkDatabase(dataSource: DataSource): Promise<void> {
  await dataSource.query('SELECT 1');
}
