import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { WorkerPresence } from '#libs/persistence';
import { createSeededDatabase } from '../../../support/services/migrated-database.js';
import type { TestDatabase } from '../../../support/services/test-database.js';
import { startApi, type RunningApi } from '../api-fixture.js';
import { ask } from '../http-client.js';

let database: TestDatabase;
let api: RunningApi;
let presence: WorkerPresence;

beforeAll(async () => {
  database = await createSeededDatabase();
  api = await startApi({ DATABASE_URL: database.url });
  presence = new WorkerPresence({
    databaseUrl: database.url,
    processName: 'host-1',
    places: 4,
    shown: { release: '1.2.3', roles: ['execute', 'webhooks'] },
    answerWithinMs: 10_000,
    onError: () => undefined,
  });
});
afterAll(async () => {
  await presence.stop();
  await api.app.close();
  await database.drop();
});

const list = async (query = ''): Promise<Readonly<Record<string, unknown>>> =>
  (await ask(api.url, `/api/workers/${query}`)).body;

it('shows each worker with its slots, present or missing, draining or gone', async () => {
  expect(await list()).toEqual({ data: [], has_more: false, next_cursor: null });
  await presence.start();
  await api.dataSource.query(`INSERT INTO worker (id, places) VALUES ('dead#1', 7)`);
  for (let runs = 0; runs < 3; runs += 1) {
    const { body } = await ask(api.url, '/api/agents/1/execute/', { json: { input: 'x' } });
    const lease = runs < 2 ? '1 hour' : '-1 hour';
    await api.dataSource.query(
      `UPDATE execution SET status = 'running', lease_owner = $2, lease_expires_at = now() + $3::interval WHERE id = $1`,
      [body['id'], presence.workerId, lease],
    );
  }

  expect(await list()).toMatchObject({
    data: [
      {
        ...{ id: 'dead#1', release: null, roles: [], slots: 7, slots_in_use: 0 },
        ...{ is_present: false, last_seen_at: null, draining_since: null },
      },
      {
        ...{ id: presence.workerId, release: '1.2.3', roles: ['execute', 'webhooks'] },
        ...{ slots: 4, slots_in_use: 2, is_present: true, draining_since: null },
        ...{ last_seen_at: expect.stringMatching(/Z$/), started_at: expect.stringMatching(/Z$/) },
      },
    ],
    has_more: false,
  });

  await presence.showDraining();
  const [first] = (await list('?cursor=ZGVhZCMx')).data as { draining_since: string }[];
  expect(first).toMatchObject({ id: presence.workerId, draining_since: expect.stringMatching(/Z$/) });
  await presence.showDraining();
  expect((await list('?cursor=ZGVhZCMx')).data).toMatchObject([{ draining_since: first?.draining_since }]);

  const silent = { host: 'models.example', failures: 5, breaker: 'open' as const };
  const hosts = [{ ...silent, paused_until: '2026-11-22T09:05:10.000Z' }];
  await presence.showHosts(hosts);
  expect((await list()).data).toMatchObject([{ model_hosts: [] }, { model_hosts: hosts }]);

  await presence.stop();
  expect(await list()).toMatchObject({ data: [{ id: 'dead#1' }] });
});

it('lists them in pages, and names a wrong cursor', async () => {
  await api.dataSource.query(`INSERT INTO worker (id) VALUES ('a'), ('b')`);

  const first = await list('?limit=1');
  expect(first).toMatchObject({ data: [{ id: 'a' }], has_more: true });
  expect(await list(`?limit=1&cursor=${String(first['next_cursor'])}`)).toMatchObject({
    data: [{ id: 'b' }],
  });
  for (const query of ['?limit=0', '?limit=101', '?cursor=!', '?status=alive'])
    expect((await ask(api.url, `/api/workers/${query}`)).status).toBe(400);
});
