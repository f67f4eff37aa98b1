import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createDataSource, poolOf, watchedConnections, WorkerPresence } from '#libs/persistence';
import { createQueuePool } from '#libs/queue';
import { startBreakableProxy, type BreakableProxy } from '../../support/services/breakable-proxy.js';
import { createSeededDatabase } from '../../support/services/migrated-database.js';
import type { TestDatabase } from '../../support/services/test-database.js';
import { waitFor } from '../../support/services/wait-for.js';

const CONNECTIONS = 3;

let database: TestDatabase;
let proxy: BreakableProxy;
beforeAll(async () => {
  database = await createSeededDatabase();
});
beforeEach(async () => {
  proxy = await startBreakableProxy(database.url);
});
afterEach(() => proxy.close());
afterAll(() => database.drop());

/** Opens `CONNECTIONS` connections by as many simultaneous statements. */
async function open(pool: { query(sql: string): Promise<unknown> }): Promise<void> {
  await Promise.all(Array.from({ length: CONNECTIONS }, () => pool.query('SELECT pg_sleep(0.05)')));
}

describe('a data source whose connections have gone silent', () => {
  it.each([true, false])(
    'gives up each that left a statement unanswered (isPreparing: %s)',
    async (isPreparing) => {
      const source = await createDataSource({
        url: proxy.url,
        poolSize: CONNECTIONS,
        queryTimeoutMs: 3_000,
        pingEveryMs: 60_000,
        isPreparing,
      }).initialize();
      await open(source);
      proxy.silence();

      const lost = await Promise.allSettled(
        Array.from({ length: CONNECTIONS }, () =>
          source.transaction((manager) => manager.query('SELECT $1::int AS answer', [1])),
        ),
      );

      expect(lost.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
      // Each statement succeeds at the first try, so the pool has dropped all silent connections.
      await expect(open(source)).resolves.toBeUndefined();
      await source.destroy();
    },
  );

  it('notices it while they are idle', async () => {
    const source = await createDataSource({
      url: proxy.url,
      poolSize: CONNECTIONS,
      pingEveryMs: 200,
    }).initialize();
    // Disables the pool's own idle timeout, which is not under test.
    poolOf(source).options.idleTimeoutMillis = 600_000;
    await open(source);
    const before = poolOf(source).totalCount;
    proxy.silence();

    await waitFor(() => poolOf(source).totalCount === 0, { description: 'the pool to be empty' });

    expect(before).toBe(CONNECTIONS);
    expect(await source.query('SELECT 1 AS answer')).toEqual([{ answer: 1 }]);
    await source.destroy();
  });
});

it('a connection that only listens is given up as well', async () => {
  const pool = createQueuePool(proxy.url, watchedConnections({ pingEveryMs: 200 }));
  const client = await pool.connect();
  const errors: Error[] = [];
  client.on('error', (error) => errors.push(error));
  await client.query('LISTEN somebody');
  proxy.silence();

  await waitFor(() => errors.length > 0, { description: 'whoever listens to be notified' });

  client.release(true);
  expect((await pool.query('SELECT 1 AS answer')).rows).toEqual([{ answer: 1 }]);
  await pool.end();
});

it('a connection to a server that takes no writes is given up: after a failover the next one leads elsewhere', async () => {
  const source = await createDataSource({ url: proxy.url, poolSize: 1 }).initialize();
  await source.query('CREATE TABLE something (id int)');
  await source.query('SET default_transaction_read_only = on');

  await expect(source.query('INSERT INTO something VALUES (1)')).rejects.toThrow('read-only');

  await expect(source.query('INSERT INTO something VALUES (1)')).resolves.toBeDefined();
  await source.destroy();
});

it('a statement that the database itself gave up leaves its connection as it was', async () => {
  const source = await createDataSource({ url: proxy.url, poolSize: 1, queryTimeoutMs: 60_000 }).initialize();
  const backend = async (): Promise<unknown> => source.query('SELECT pg_backend_pid() AS pid');
  const before = await backend();
  // The server's limit ends before the caller's; a shorter one stands in for it, so that no race decides the test.
  expect(await source.query('SHOW statement_timeout')).toEqual([{ statement_timeout: '48s' }]);
  await source.query(`SET statement_timeout = '50ms'`);

  await expect(source.query('SELECT pg_sleep(60)')).rejects.toMatchObject({ driverError: { code: '57014' } });

  expect(await backend()).toEqual(before);
  await source.destroy();
});

it('a presence on such a connection is renewed without a query', async () => {
  const presence = new WorkerPresence({
    databaseUrl: proxy.url,
    processName: 'silent',
    places: 1,
    answerWithinMs: 60_000,
    pingEveryMs: 200,
    onError: () => undefined,
  });
  const source = await createDataSource({ url: database.url, poolSize: 1 }).initialize();
  // The server does not notice the silence, so the lost connection stays in `pg_stat_activity`.
  const countShown = async (): Promise<number> => {
    const [row] = await source.query<[{ count: number }]>(
      `SELECT count(*)::int AS count FROM pg_stat_activity
        WHERE datname = current_database() AND application_name = 'capstan-presence'`,
    );
    return row.count;
  };
  await presence.start();
  expect(await countShown()).toBe(1);
  proxy.silence();

  await waitFor(async () => (await countShown()) === 2, { description: 'another announcement' });
  // The connection is visible a moment before the presence knows of it.
  const isPresent = () => presence.check().then(() => true);
  await waitFor(isPresent, { description: 'the presence to know of it' });

  await presence.stop();
  await source.destroy();
});
