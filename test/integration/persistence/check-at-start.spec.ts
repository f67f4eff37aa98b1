import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { checkDatabaseAtStart, createDataSource } from '#libs/persistence';
import type { DataSource } from 'typeorm';
import { wholeDatabase } from '../../../apps/migrate/src/database.js';
import { createSeededDatabase } from '../../support/services/migrated-database.js';
import type { TestDatabase } from '../../support/services/test-database.js';

let database: TestDatabase;
let dataSource: DataSource;

beforeAll(async () => {
  database = await createSeededDatabase();
  dataSource = await createDataSource(wholeDatabase(database.url)).initialize();
});
afterAll(async () => {
  await dataSource.destroy();
  await database.drop();
});

/** Details of all warnings of the check. */
async function warnings(): Promise<readonly object[]> {
  const warned: object[] = [];
  const log = { warn: (details: object) => void warned.push(details) };
  await checkDatabaseAtStart(dataSource, { directUrl: database.url, isPooled: false }, log);
  return warned;
}

it('says nothing of a database that this release has migrated', async () => {
  expect(await warnings()).toEqual([]);
});

it('warns of migrations that only a newer release knows, by name, and goes on', async () => {
  const name = 'AddWhatIsNotThoughtOfYet9999999999999';
  await dataSource.query('INSERT INTO schema_migration (timestamp, name) VALUES (9999999999999, $1)', [name]);
  expect(await warnings()).toEqual([{ migrations: [name] }]);
});

it('says nothing of migrations of the domains that earlier releases held', async () => {
  const name = 'CreateSupportDesk1764000000066';
  await dataSource.query('INSERT INTO schema_migration (timestamp, name) VALUES (1764000000066, $1)', [name]);
  expect(JSON.stringify(await warnings())).not.toContain(name);
  await dataSource.query('DELETE FROM schema_migration WHERE name = $1', [name]);
});

it('refuses a database that lacks one', async () => {
  await dataSource.query(`DELETE FROM schema_migration WHERE name LIKE 'CreateSchema%'`);
  await expect(warnings()).rejects.toMatchObject({ code: 'DATABASE_NOT_MIGRATED' });
});
