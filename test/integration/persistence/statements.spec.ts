import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import { createDataSource, ExecutionClaimStore, poolOf } from '#libs/persistence';
import type { DataSource } from 'typeorm';
import { startBreakableProxy } from '../../support/services/breakable-proxy.js';
import { createSeededDatabase } from '../../support/services/migrated-database.js';
import type { TestDatabase } from '../../support/services/test-database.js';

let database: TestDatabase;
beforeAll(async () => {
  database = await createSeededDatabase();
});
afterAll(() => database.drop());

const nobody = () => ({ executionId: randomUUID(), token: randomUUID() });

async function serverProcess(source: DataSource): Promise<unknown> {
  return source.query('SELECT pg_backend_pid() AS pid');
}

it('a statement of a store goes to the pool with nothing made around it, and its connection goes on after an error', async () => {
  const source = await createDataSource({ url: database.url, poolSize: 1 }).initialize();
  const claims = new ExecutionClaimStore(source);
  const before = await serverProcess(source);

  const runners = jest.spyOn(source, 'createQueryRunner');
  expect(await claims.isCurrent(nobody())).toBe(false);
  await expect(claims.isCurrent({ ...nobody(), token: 'none' })).rejects.toMatchObject({ code: '22P02' });
  expect(runners).not.toHaveBeenCalled();
  runners.mockRestore();

  expect(await serverProcess(source)).toEqual(before);
  expect(poolOf(source)).toMatchObject({ totalCount: 1, idleCount: 1 });
  await source.destroy();
});

it('a statement within a transaction goes by its connection', async () => {
  const source = await createDataSource({ url: database.url, poolSize: 1 }).initialize();
  // The pool has one connection: a statement that asked for another one would wait for ever.
  const isCurrent = await source.transaction((manager) =>
    new ExecutionClaimStore(manager).isCurrent(nobody()),
  );
  expect(isCurrent).toBe(false);
  await source.destroy();
});

it('a connection that leaves a statement of a store unanswered is not given to the next one', async () => {
  const proxy = await startBreakableProxy(database.url);
  const options = { url: proxy.url, poolSize: 1, queryTimeoutMs: 300, pingEveryMs: 60_000 };
  const source = await createDataSource(options).initialize();
  const claims = new ExecutionClaimStore(source);
  expect(await claims.isCurrent(nobody())).toBe(false);
  proxy.silence();

  await expect(claims.isCurrent(nobody())).rejects.toThrow('Query read timeout');

  expect(await claims.isCurrent(nobody())).toBe(false);
  await source.destroy();
  await proxy.close();
});
