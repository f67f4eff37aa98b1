import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createDataSource, watchedConnections } from '#libs/persistence';
import { createQueuePool } from '#libs/queue';
import { administrate } from '../../support/services/database-administrator.js';
import { createTestDatabase, type TestDatabase } from '../../support/services/test-database.js';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  // The default of PostgreSQL, with which the compilation of a statement may take seconds.
  await administrate(`ALTER DATABASE ${new URL(database.url).pathname.slice(1)} SET jit = on`);
});
afterAll(() => database.drop());

it.each([true, false])(
  'no statement of a process is compiled, with kept statements: %s',
  async (isPreparing) => {
    const dataSource = await createDataSource({ url: database.url, isPreparing }).initialize();
    expect(await dataSource.query('SHOW jit')).toEqual([{ jit: 'off' }]);
    await dataSource.destroy();
  },
);

it('no statement of a queue is compiled', async () => {
  const pool = createQueuePool(database.url, watchedConnections({}));
  expect((await pool.query('SHOW jit')).rows).toEqual([{ jit: 'off' }]);
  await pool.end();
});
