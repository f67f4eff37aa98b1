import pg from 'pg';
import { AnsweringClient } from './answering-client.js';
import type { DataSource } from 'typeorm';

/** The pool behind a data source, for what speaks plain `pg`. */
export function poolOf(dataSource: DataSource): pg.Pool {
  const { driver } = dataSource;
  if ('master' in driver && driver.master instanceof pg.Pool) return driver.master;
  throw new Error('the data source has no PostgreSQL pool');
}

/** Whether the database answers on a connection that is made now, in about so long. Throws when it does not. */
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

/** Whether it answers on a connection of the pool, one that is in use. */
export async function checkDatabase(dataSource: DataSource): Promise<void> {
  await dataSource.query('SELECT 1');
}
