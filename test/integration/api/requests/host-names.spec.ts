import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createSeededDatabase } from '../../../support/services/migrated-database.js';
import type { TestDatabase } from '../../../support/services/test-database.js';
import { startApi, type RunningApi } from '../api-fixture.js';

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

async function statusOf(head: string): Promise<string> {
  const { hostname, port } = new URL(api.url);
  const socket = connect(Number(port), hostname);
  socket.write(`${head}Connection: close\r\n\r\n`);
  return (await text(socket)).split('\r\n')[0] ?? '';
}

it.each<[what: string, head: string, status: number]>([
  ['one Host', 'GET /api/agents/ HTTP/1.1\r\nHost: localhost\r\n', 200],
  ['no Host', 'GET /api/agents/ HTTP/1.1\r\n', 400],
  ['two of them', 'GET /api/agents/ HTTP/1.1\r\nHost: localhost\r\nHost: elsewhere\r\n', 400],
  ['two that agree', 'GET /api/agents/ HTTP/1.1\r\nHost: localhost\r\nhost: localhost\r\n', 400],
  ['two in HTTP/1.0', 'GET /api/agents/ HTTP/1.0\r\nHost: localhost\r\nHOST: localhost\r\n', 400],
])('a request with %s', async (_what, head, status) => {
  expect(await statusOf(head)).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
});
