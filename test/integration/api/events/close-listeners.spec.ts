import { EventEmitter } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createSeededDatabase } from '../../../support/services/migrated-database.js';
import type { TestDatabase } from '../../../support/services/test-database.js';
import { startApi, type RunningApi } from '../api-fixture.js';
import { ask } from '../http-client.js';

let database: TestDatabase;
let api: RunningApi;
beforeAll(async () => {
  database = await createSeededDatabase();
  api = await startApi({ DATABASE_URL: database.url });
});
afterAll(async () => {
  await api.app.close();
  await database.drop();
});

it('an event stream has no more listeners for its end than Node takes for a leak', async () => {
  const { body } = await ask(api.url, '/api/agents/1/execute/', { json: { input: 'x' } });
  let response: ServerResponse | undefined;
  api.app.getHttpServer().once('request', (_request: IncomingMessage, opened: ServerResponse) => {
    response = opened;
  });
  const leaves = new AbortController();
  const stream = await fetch(new URL(`/api/executions/${String(body['id'])}/events/`, api.url), {
    signal: leaves.signal,
  });
  await stream.body?.getReader().read();

  expect(response?.listenerCount('close')).toBeGreaterThan(0);
  expect(response?.listenerCount('close')).toBeLessThanOrEqual(EventEmitter.defaultMaxListeners);
  leaves.abort();
});
