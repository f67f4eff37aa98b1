import { afterAll, beforeAll, expect, it } from '@jest/globals';
import pg from 'pg';
import { createDataSource, poolOf } from '#libs/persistence';
import { createTestDatabase, type TestDatabase } from '../../support/services/test-database.js';

const ANEW = 'SELECT /* planned anew */ $1::int AS given';
const KEPT = 'SELECT $1::int AS given';

interface Insides {
  readonly _activeQuery: object | null | undefined;
  readonly _queryQueue: readonly object[];
}

let database: TestDatabase;
const driver = pg.Client.prototype as unknown as { query: (...call: unknown[]) => unknown };
const { query } = driver;
/** Statements that the driver was given while it ran another. */
const early: unknown[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  driver.query = function (this: Insides, ...call: unknown[]): unknown {
    if (this._activeQuery || this._queryQueue.length > 0) early.push(call[0]);
    return query.apply(this, call);
  };
});
afterAll(async () => {
  driver.query = query;
  await database.drop();
});

it.each([true, false])(
  'statements given at once are sent when the one before is answered (kept plans: %s)',
  async (isPreparing) => {
    const options = { url: database.url, poolSize: 1, isPreparing };
    const dataSource = await createDataSource(options).initialize();
    const client = await poolOf(dataSource).connect();
    try {
      const called: number[] = [];
      const byCallback = new Promise((resolve) =>
        client.query<{ given: number }>(KEPT, [1], (_error, { rows }) =>
          resolve(called.push(Number(rows[0]?.given))),
        ),
      );
      const failed = expect(client.query('SELECT 1 / $1::int', [0])).rejects.toThrow('division by zero');
      const answers = await Promise.all(
        [ANEW, KEPT, KEPT, ANEW].map((statement, index) =>
          client.query<{ given: number }>(statement, [index]),
        ),
      );
      await Promise.all([byCallback, failed]);
      expect(answers.map(({ rows }) => rows)).toEqual([0, 1, 2, 3].map((given) => [{ given }]));
      expect(called).toEqual([1]);
      expect(() => client.query(null as never)).toThrow('null or undefined query');
      expect((await client.query(ANEW, [4])).rows).toEqual([{ given: 4 }]);
    } finally {
      client.release();
      await dataSource.destroy();
    }
    expect(early).toEqual([]);
  },
);
