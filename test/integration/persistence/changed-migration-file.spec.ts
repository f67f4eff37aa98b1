import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { defineDomain } from '#libs/kit';
import { checkDatabaseAtStart, createDataSource, migrateDatabase } from '#libs/persistence';
import { toDomain } from '#libs/project';
import { createTestDatabase, type TestDatabase } from '../../support/services/test-database.js';

const NAME = '1770000000000-create-note.sql';
const SQL = 'CREATE TABLE notes.note (id uuid PRIMARY KEY, tenant_id text NOT NULL);';
const REFUSED = {
  code: 'INVALID_CONFIGURATION',
  message: `domains/notes/migrations/${NAME} has run on this database, and its text has changed since: restore it, and put the change into a new file beside it`,
};

let database: TestDatabase;
beforeEach(async () => {
  database = await createTestDatabase();
});
afterEach(() => database.drop());

interface File {
  readonly name: string;
  readonly sql: string;
}

/** Options of a database with a domain of these files. */
function optionsOf(...files: readonly File[]) {
  const { migrations } = toDomain(defineDomain({ name: 'notes' }), files);
  return { url: database.url, poolSize: 2, applicationName: 'changed-migration-file', migrations };
}
const migrate = (...files: readonly File[]) => migrateDatabase(optionsOf(...files), () => Promise.resolve());

async function checkAtStart(...files: readonly File[]): Promise<void> {
  const dataSource = await createDataSource(optionsOf(...files)).initialize();
  try {
    await checkDatabaseAtStart(
      dataSource,
      { directUrl: database.url, isPooled: false },
      { warn: () => undefined },
    );
  } finally {
    await dataSource.destroy();
  }
}

/** Runs statements on the database of the test. */
async function query(sql: string): Promise<unknown> {
  const dataSource = await createDataSource(optionsOf()).initialize();
  try {
    return await dataSource.query(sql);
  } finally {
    await dataSource.destroy();
  }
}

describe('a file of SQL that has run', () => {
  it('is refused once its text has changed, by the migration and at the start, and nothing else runs', async () => {
    await migrate({ name: NAME, sql: SQL });
    const changed = { name: NAME, sql: SQL.replace('uuid', 'bigint') };
    const next = { name: '1770000000001-next.sql', sql: 'CREATE TABLE notes.next (id uuid)' };
    await expect(migrate(changed, next)).rejects.toMatchObject(REFUSED);
    await expect(checkAtStart(changed)).rejects.toMatchObject(REFUSED);
    expect(await query(`SELECT to_regclass('notes.next') AS next`)).toEqual([{ next: null }]);
  });

  it('is accepted as it was, beside a new one', async () => {
    const first = { name: NAME, sql: SQL };
    await migrate(first);
    const next = { name: '1770000000001-next.sql', sql: 'CREATE TABLE notes.next (id uuid)' };
    expect(await migrate(first, next)).toEqual(['NotesNext1770000000001']);
    await expect(checkAtStart(first, next)).resolves.toBeUndefined();
  });

  it('is taken as it is where a release without checksums ran it', async () => {
    const first = { name: NAME, sql: SQL };
    await migrate(first);
    await query(
      `DELETE FROM schema_migration WHERE name = 'MigrationChecksums1764000000088';
       ALTER TABLE schema_migration DROP checksum`,
    );
    const changed = { name: NAME, sql: `${SQL} -- said later` };
    expect(await migrate(changed)).toEqual(['MigrationChecksums1764000000088']);
    await expect(migrate(first)).rejects.toMatchObject(REFUSED);
  });
});
