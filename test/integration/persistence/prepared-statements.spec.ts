import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { QueryConfig } from 'pg';
import { createDataSource, poolOf } from '#libs/persistence';
import type { DataSource } from 'typeorm';
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

describe('the settings of plans', () => {
  const MODE = `SELECT current_setting('plan_cache_mode') AS cache, current_setting('enable_bitmapscan') AS bitmap, $1::int`;
  const ANEW = `/* planned anew */ ${MODE}`;
  const kept = { cache: 'force_generic_plan', bitmap: 'off' };
  const anew = { cache: 'auto', bitmap: 'on' };
  let dataSource: DataSource;
  beforeAll(async () => {
    dataSource = await createDataSource({ url: database.url, poolSize: 1, isPreparing: true }).initialize();
  });
  afterAll(() => dataSource.destroy());

  const modeOf = async (statement: string, on: Pick<DataSource, 'query'> = dataSource) =>
    (await on.query<object[]>(statement, [1]))[0];

  it('are those of kept plans, and others for a statement that is planned anew', async () => {
    for (const [statement, mode] of [
      [MODE, kept],
      [ANEW, anew],
      [ANEW, anew],
      [MODE, kept],
      [ANEW, anew],
    ] as const)
      expect(await modeOf(statement)).toMatchObject(mode);
    expect(await poolOf(dataSource).query({ text: ANEW, values: [1] })).toMatchObject({ rows: [anew] });
    expect(await poolOf(dataSource).query({ text: MODE, values: [1] })).toMatchObject({ rows: [kept] });
  });

  it('are right after a transaction that was rolled back, and within the next one', async () => {
    const failed = dataSource.transaction(async (manager) => {
      expect(await modeOf(ANEW, manager)).toMatchObject(anew);
      await manager.query('SELECT 1 / $1::int', [0]);
    });
    await expect(failed).rejects.toThrow('division by zero');
    expect(await modeOf(ANEW)).toMatchObject(anew);
    await dataSource.transaction(async (manager) => {
      expect(await modeOf(MODE, manager)).toMatchObject(kept);
      expect(await modeOf(ANEW, manager)).toMatchObject(anew);
    });
    expect(await modeOf(MODE)).toMatchObject(kept);
  });

  it('are right for a statement behind one that failed within a transaction', async () => {
    await dataSource
      .transaction(async (manager) => {
        await manager.query('SELECT 1 / $1::int', [0]).catch(() => undefined);
        await modeOf(ANEW, manager);
      })
      .catch(() => undefined);
    expect(await modeOf(ANEW)).toMatchObject(anew);
    expect(await modeOf(MODE)).toMatchObject(kept);
  });
});
