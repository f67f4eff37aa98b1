import { randomBytes } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { escapeIdentifier, escapeLiteral } from 'pg';
import type { Client } from 'pg';
import { administrate, databaseUrl, withAdministrator } from './database-administrator.js';

/** The database of one test file; `drop` also ends its remaining connections. */
export interface TestDatabase {
  readonly url: string;
  drop(): Promise<void>;
}

/** The URLs of templates that this process knows to exist. */
const preparedTemplates = new Set<string>();

/** Creates an empty database with a name of its own. */
export async function createTestDatabase(): Promise<TestDatabase> {
  return cloneDatabase('template1');
}

/**
 * Clones a database that `migrate` has prepared once for the whole run: the first test file prepares it, the others wait for
 * it and clone it in milliseconds.
 *
 * @param migrate brings the empty database at `url` to its newest schema and closes its connections
 * @param preparation the name of the work of `migrate`, which must be unique for each function. `TEMPLATES_OF` separates the
 * templates of different sources on the same server
 */
export async function createMigratedDatabase(
  migrate: (url: string) => Promise<void>,
  preparation = 'migrated',
): Promise<TestDatabase> {
  const template = `template_${preparation}${process.env['TEMPLATES_OF'] ?? ''}`;
  const place = databaseUrl(template);
  if (!preparedTemplates.has(place)) {
    await withAdministrator((administrator) => prepareTemplate(administrator, template, migrate));
    preparedTemplates.add(place);
  }
  return cloneDatabase(template);
}

/** Renames the template only when it is complete, so that a failed or killed preparation leaves none. */
async function prepareTemplate(
  administrator: Client,
  template: string,
  migrate: (url: string) => Promise<void>,
): Promise<void> {
  // The lock is held until this connection closes.
  await administrator.query('SELECT pg_advisory_lock(hashtext($1))', [template]);
  const found = await administrator.query('SELECT 1 FROM pg_database WHERE datname = $1', [template]);
  if (found.rowCount === 1) return;

  const name = `${template}_unfinished`;
  const unfinished = escapeIdentifier(name);
  await administrator.query(`DROP DATABASE IF EXISTS ${unfinished} WITH (FORCE)`);
  await administrator.query(`CREATE DATABASE ${unfinished}`);
  await migrate(databaseUrl(name));
  // A connection left open by `migrate` would make every clone fail.
  await administrator.query(`ALTER DATABASE ${unfinished} WITH allow_connections false`);
  await administrator.query(
    'SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = $1',
    [name],
  );
  await administrator.query(`ALTER DATABASE ${unfinished} RENAME TO ${escapeIdentifier(template)}`);
}

async function cloneDatabase(template: string): Promise<TestDatabase> {
  const name = `test_${randomBytes(8).toString('hex')}`;
  const clone = escapeIdentifier(name);
  // A copy of the files takes a fifth of the processor time of the default, a copy by the log.
  await administrate(`CREATE DATABASE ${clone} TEMPLATE ${escapeIdentifier(template)} STRATEGY file_copy`);
  return {
    url: databaseUrl(name),
    drop: async () => {
      await untilClosed(name);
      await administrate(`DROP DATABASE IF EXISTS ${clone} WITH (FORCE)`);
    },
  };
}

/**
 * Waits at most 0.5 s until closing connections are gone: a pool reports its end before that, and a connection that the
 * server ends first would emit an error.
 */
async function untilClosed(database: string): Promise<void> {
  const open = `SELECT FROM pg_stat_activity WHERE datname = ${escapeLiteral(database)}`;
  for (let look = 0; look < 50; look += 1) {
    if ((await administrate(open)).rowCount === 0) return;
    await setTimeout(10);
  }
}
