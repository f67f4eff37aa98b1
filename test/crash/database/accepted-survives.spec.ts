import { join } from 'node:path';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createDataSource, ExecutionAcceptanceStore } from '#libs/persistence';
import type { DataSource } from 'typeorm';
import { migrate } from '../../../apps/migrate/src/migrate.js';
import { seed } from '../../../apps/migrate/src/seed.js';
import { startApi, type RunningApi } from '../../integration/api/api-fixture.js';
import { aSubmission } from '../../support/builders/submission.js';
import { databasesFolder } from '../../support/services/run-folder.js';
import { requireServiceAddress } from '../../support/services/service-address.js';
import { PostgresServer } from '../chaos/cluster/postgres-server.js';

/** The delay is longer than the test, so that a commit without a flush stays in memory and is lost with the server. */
const SETTINGS = { synchronous_commit: 'on', wal_writer_delay: '10000ms', autovacuum: 'off' };

let server: PostgresServer;
let api: RunningApi;
let dataSource: DataSource;

beforeAll(async () => {
  const home = join(databasesFolder(requireServiceAddress('CAPSTAN_TEST_RUN_FOLDER')), randomUUID());
  server = await PostgresServer.start(home, SETTINGS);
  await migrate(server.url);
  await seed(server.url, 'default', { provider: 'openai', model: 'sim-script' });
  api = await startApi({ DATABASE_URL: server.url, LOG_LEVEL: 'silent' });
  dataSource = await createDataSource({ url: server.url }).initialize();
});
afterAll(async () => {
  await dataSource.destroy();
  await api.app.close();
  await server.stop();
});

async function submit(headers: Readonly<Record<string, string>> = {}) {
  const response = await fetch(`${api.url}/api/agents/1/execute/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ input: 'hello' }),
  });
  return { status: response.status, id: ((await response.json()) as { id: string }).id };
}

async function isStored(id: string): Promise<boolean> {
  const rows = await dataSource.query<unknown[]>('SELECT 1 FROM execution WHERE id = $1', [id]);
  return rows.length > 0;
}

it('keeps what was answered 202 through the sudden death of PostgreSQL, and nothing else need be kept', async () => {
  const underKey = { 'Idempotency-Key': 'k' };
  const submitted = [...(await Promise.all([submit(), submit(), submit()])), await submit(underKey)];
  const acceptances = new ExecutionAcceptanceStore(dataSource);
  const unflushed = aSubmission();
  await acceptances.accept(unflushed);
  expect(await isStored(unflushed.executionId)).toBe(true);

  await server.kill();
  await server.restart();

  expect(submitted.map(({ status }) => status)).toEqual([202, 202, 202, 202]);
  for (const { id } of submitted) expect(await isStored(id)).toBe(true);
  expect(await submit(underKey)).toEqual(submitted[3]);
  // Otherwise this test could not detect a missing flush.
  expect(await isStored(unflushed.executionId)).toBe(false);
  // The restarted server would report success for a flush of a commit that it has lost.
  await expect(acceptances.flush(unflushed.executionId)).rejects.toMatchObject({
    code: 'DATABASE_UNAVAILABLE',
  });
});
