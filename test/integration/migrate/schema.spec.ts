import { describe, expect, it } from '@jest/globals';
import { createDataSource } from '#libs/persistence';
import type { DataSource } from 'typeorm';
import { wholeDatabase } from '../../../apps/migrate/src/database.js';
import { migrate } from '../../../apps/migrate/src/migrate.js';
import { schemaDrift } from '../../../apps/migrate/src/schema-drift.js';
import { createTestDatabase } from '../../support/services/test-database.js';

/** Removes the migrations of projects, which have no way back, from those that have run; returns them. */
async function forgetProjects(
  dataSource: DataSource,
): Promise<readonly { timestamp: string; name: string }[]> {
  const [rows] = await dataSource.query<[{ timestamp: string; name: string }[]]>(
    `DELETE FROM schema_migration WHERE name ~ '^(OrderEntry|SupportDesk)' RETURNING "timestamp", name`,
  );
  expect(rows).toHaveLength(2);
  return rows;
}

it('migrations and entities agree', async () => {
  const database = await createTestDatabase();
  try {
    expect(await schemaDrift(database.url)).toEqual([]);
  } finally {
    await database.drop();
  }
});

it('many processes may migrate at once: each migration runs once', async () => {
  const database = await createTestDatabase();
  try {
    const runs = await Promise.all(Array.from({ length: 4 }, () => migrate(database.url)));
    expect(runs.filter((applied) => applied.length > 0)).toHaveLength(1);
  } finally {
    await database.drop();
  }
});

it('every migration can be taken back, but those of projects', async () => {
  const database = await createTestDatabase();
  const applied = await migrate(database.url);
  const dataSource = await createDataSource(wholeDatabase(database.url)).initialize();
  try {
    const ofProjects = await forgetProjects(dataSource);
    for (const _migration of applied.slice(ofProjects.length)) await dataSource.undoLastMigration();
    const tables: unknown = await dataSource.query(
      `SELECT tablename FROM pg_tables WHERE schemaname = 'public'`,
    );
    expect(tables).toEqual([{ tablename: 'schema_migration' }]);
  } finally {
    await dataSource.destroy();
    await database.drop();
  }
});

it('every table carries tenant_id, but tenants, live events, rate limits, indexes of vectors and the list of workers', async () => {
  const database = await createTestDatabase();
  await migrate(database.url);
  const dataSource = await createDataSource(wholeDatabase(database.url)).initialize();
  try {
    const lacking: unknown = await dataSource.query(
      `SELECT t.tablename FROM pg_tables t WHERE t.schemaname = 'public' AND NOT EXISTS (
         SELECT 1 FROM information_schema.columns c WHERE c.table_name = t.tablename AND c.column_name = 'tenant_id')
       ORDER BY 1`,
    );
    expect(lacking).toEqual(
      ['execution_event', 'rate_limit', 'schema_migration', 'tenant', 'vector_index', 'worker'].map(
        (tablename) => ({
          tablename,
        }),
      ),
    );
  } finally {
    await dataSource.destroy();
    await database.drop();
  }
});

it('tokens that wait to be revoked are background tasks after the migration, and go back with it', async () => {
  const database = await createTestDatabase();
  await migrate(database.url);
  const dataSource = await createDataSource(wholeDatabase(database.url)).initialize();
  const hasMoved = async (): Promise<boolean> => {
    const rows = await dataSource.query<unknown[]>(
      `SELECT 1 FROM schema_migration WHERE name = 'BackgroundTask1764000000078'`,
    );
    return rows.length > 0;
  };
  const undo = async (): Promise<void> => {
    const kept = await forgetProjects(dataSource);
    while (await hasMoved()) await dataSource.undoLastMigration();
    for (const { timestamp, name } of kept)
      await dataSource.query('INSERT INTO schema_migration ("timestamp", name) VALUES ($1, $2)', [
        timestamp,
        name,
      ]);
  };
  const id = '0198a000-0000-7000-8000-000000000001';
  const serverId = '0198a000-0000-7000-8000-000000000002';
  try {
    await undo();
    await dataSource.query(
      `INSERT INTO token_revocation (connection_id, tenant_id, server_id, grant_sealed, tries)
       VALUES ('${id}', 'default', '${serverId}', 'sealed', 3)`,
    );
    const before: unknown = await dataSource.query('SELECT * FROM token_revocation');
    await migrate(database.url);
    expect(await dataSource.query('SELECT id, tenant_id, kind, data, tries FROM background_task')).toEqual([
      {
        ...{ id, tenant_id: 'default', kind: 'revoke-tokens', tries: 3 },
        data: { serverId, auth: null, literalsSealed: null, grantSealed: 'sealed' },
      },
    ]);
    await undo();
    expect(await dataSource.query('SELECT * FROM token_revocation')).toEqual(before);
  } finally {
    await dataSource.destroy();
    await database.drop();
  }
});

describe('a database with the many migrations of the time before the first release', () => {
  const recordOnly = async (dataSource: DataSource, name: string, timestamp: string): Promise<void> => {
    await dataSource.query(`DELETE FROM schema_migration WHERE name = 'CreateSchema1764000000000'`);
    await dataSource.query('INSERT INTO schema_migration ("timestamp", name) VALUES ($1, $2)', [
      timestamp,
      name,
    ]);
  };
  const recorded = (dataSource: DataSource): Promise<{ readonly name: string }[]> =>
    dataSource.query(`SELECT name FROM schema_migration WHERE "timestamp" < 1764000000100 ORDER BY 1`);

  it('has the one in their place after a migration, beside those of domains', async () => {
    const database = await createTestDatabase();
    const before = await migrate(database.url);
    const dataSource = await createDataSource(wholeDatabase(database.url)).initialize();
    try {
      await recordOnly(dataSource, 'MarkRestoredExecutions1764000000077', '1764000000077');
      expect(await migrate(database.url)).toEqual([]);
      expect((await recorded(dataSource)).map(({ name }) => name)).toEqual(
        before.filter((name) => /17640000000\d\d$/.test(name)).sort(),
      );
    } finally {
      await dataSource.destroy();
      await database.drop();
    }
  });

  it('is refused, unchanged, where it lacks some of them', async () => {
    const database = await createTestDatabase();
    await migrate(database.url);
    const dataSource = await createDataSource(wholeDatabase(database.url)).initialize();
    try {
      await recordOnly(dataSource, 'KeepAnswers1764000000076', '1764000000076');
      const before = await recorded(dataSource);
      await expect(migrate(database.url)).rejects.toMatchObject({
        code: 'DATABASE_NOT_MIGRATED',
        message: expect.stringContaining('migrate it with commit') as unknown,
      });
      expect(await recorded(dataSource)).toEqual(before);
    } finally {
      await dataSource.destroy();
      await database.drop();
    }
  });
});
