import type pg from 'pg';
import { AppError } from '#libs/kernel';

/** Migrations of the time before the first release, which are one now; a domain has one between them. */
const FOLDED = `"timestamp" BETWEEN 1764000000000 AND 1764000000077 AND "timestamp" <> 1764000000066`;
const LAST_FOLDED = 'MarkRestoredExecutions1764000000077';
/** The last commit with all of them: a database that lacks some is migrated with it first. */
const LAST_COMMIT = 'bf1457d8';
const FOLDED_INTO = 'CreateSchema1764000000000';

/**
 * Records the one migration in place of the many where all of them ran: the tables are the same. Throws
 * `DATABASE_NOT_MIGRATED` where only some ran.
 *
 * @param client holds the lock of migrations
 */
export async function foldMigrations(client: pg.Client): Promise<void> {
  const { rows: tables } = await client.query(`SELECT 1 FROM pg_tables WHERE tablename = 'schema_migration'`);
  if (tables.length === 0) return;
  const { rows } = await client.query<{ name: string }>(`SELECT name FROM schema_migration WHERE ${FOLDED}`);
  const names = rows.map(({ name }) => name);
  if (names.length === 0 || names.includes(FOLDED_INTO)) return;
  if (!names.includes(LAST_FOLDED)) throw tooOld();
  await client.query(
    `WITH folded AS (DELETE FROM schema_migration WHERE ${FOLDED})
     INSERT INTO schema_migration ("timestamp", name) VALUES (1764000000000, $1)`,
    [FOLDED_INTO],
  );
}

function tooOld(): AppError {
  return new AppError({
    code: 'DATABASE_NOT_MIGRATED',
    kind: 'unavailable',
    message: `DATABASE_URL: the database is of a version before the first release; migrate it with commit ${LAST_COMMIT} first`,
  });
}
