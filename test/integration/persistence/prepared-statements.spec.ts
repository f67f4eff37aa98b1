import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { QueryConfig } from 'pg';
import { createDataSource, poolOf } from '#libs/persistence';
import { createSeededDatabase } from '../../support/services/migrated-database.js';
import type { TestDatabase } from '../../support/services/test-database.js';

const SUM = 'SELECT $1::int + $2::int AS sum';
const KEPT = 'SELECT count(*)::int AS kept FROM pg_prepared_statements';

let database: TestDatabase;
beforeAll(async () => {
  database = await createSeededDatabase();
});
afterAll(() => database.drop());

it.each([
  ['keeps a statement with parameters, once', true, 1],
  ['keeps none where a pooler could not', false, 0],
])('a connection %s', async (_name, isPreparing, kept) => {
  const options = { url: database.url, poolSize: 1, isPreparing };
  const dataSource = await createDataSource(options).initialize();
  expect(await dataSource.query(SUM, [1, 2])).toEqual([{ sum: 3 }]);
  expect(await dataSource.query(SUM, [3, 4])).toEqual([{ sum: 7 }]);
  expect(await dataSource.query(KEPT)).toEqual([{ kept }]);
  await dataSource.destroy();
});

it('keeps a statement that comes with a time-out of its own, and not one without parameters', async () => {
  const options = { url: database.url, poolSize: 1, isPreparing: true };
  const dataSource = await createDataSource(options).initialize();
  const pool = poolOf(dataSource);
  const sum = (values: number[]) => pool.query({ text: SUM, values, query_timeout: 30_000 } as QueryConfig);
  expect((await sum([1, 2])).rows).toEqual([{ sum: 3 }]);
  expect((await sum([3, 4])).rows).toEqual([{ sum: 7 }]);
  expect((await pool.query({ text: KEPT })).rows).toEqual([{ kept: 1 }]);
  await dataSource.destroy();
});

it('statements that were prepared go on after one of them has failed, also within a transaction', async () => {
  const options = { url: database.url, poolSize: 1, isPreparing: true };
  const dataSource = await createDataSource(options).initialize();
  const quotient = (divisor: number) => dataSource.query('SELECT 6 / $1::int AS quotient', [divisor]);
  await expect(quotient(0)).rejects.toThrow('division by zero');
  expect(await quotient(2)).toEqual([{ quotient: 3 }]);
  const failed = dataSource.transaction((manager) => manager.query('SELECT 6 / $1::int AS quotient', [0]));
  await expect(failed).rejects.toThrow('division by zero');
  expect(await quotient(3)).toEqual([{ quotient: 2 }]);
  await dataSource.destroy();
});

it('a connection keeps 300 statements, and runs further ones without keeping them', async () => {
  const options = { url: database.url, poolSize: 1, isPreparing: true };
  const dataSource = await createDataSource(options).initialize();
  for (let index = 0; index < 302; index += 1) {
    expect(await dataSource.query(`SELECT $1::int + ${index} AS sum`, [1])).toEqual([{ sum: index + 1 }]);
  }
  expect(await dataSource.query(KEPT)).toEqual([{ kept: 300 }]);
  await dataSource.destroy();
});
