import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createDataSource } from '#libs/persistence';
import { createQueuePool } from '#libs/queue';
import { DyingPostgres } from '../../support/services/dying-postgres.js';
import { waitFor } from '../../support/services/wait-for.js';

// An error that nobody listens for would end the process, which jest reports as a failure of the test.

let server: DyingPostgres;
beforeAll(async () => {
  server = await DyingPostgres.listen();
});
afterAll(() => server.close());

it('a data source outlives a connection that ends as soon as it is made', async () => {
  await expect(createDataSource({ url: server.url }).initialize()).rejects.toThrow();
});

it('a queue outlives one that is taken from its pool and ends before anybody listens', async () => {
  const pool = createQueuePool(server.url);
  const losses: Error[] = [];
  pool.on('error', (error) => losses.push(error));

  const client = await pool.connect();

  await expect(client.query('SELECT 1')).rejects.toThrow();
  client.release(true);
  await waitFor(() => pool.totalCount === 0, { description: 'the pool to drop it' });
  await pool.end();
});
