import { connect, type Socket } from 'node:net';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createSeededDatabase } from '../../../support/services/migrated-database.js';
import type { TestDatabase } from '../../../support/services/test-database.js';
import { createKey } from '../api-keys.js';
import { startApi, type RunningApi } from '../api-fixture.js';
import { ask } from '../http-client.js';

const EXECUTE = '/api/agents/1/execute/';
/** Time limit (ms) for the answer; a server that waits for the body never answers. */
const ANSWER_WITHIN_MS = 5_000;
const MIB = 1_048_576;

let database: TestDatabase;
let api: RunningApi;
let key: string;
let reader: string;

beforeAll(async () => {
  database = await createSeededDatabase();
  api = await startApi({ DATABASE_URL: database.url, AUTH: 'api-key' });
  key = await createKey(api.dataSource, ['executions:write']);
  reader = await createKey(api.dataSource, ['executions:read']);
});

afterAll(async () => {
  await api.app.close();
  await database.drop();
});

/** Sends only the head of a request; returns the server's answer, and closes the connection. */
async function sayOnlyTheHead(
  method: string,
  path: string,
  headers: Record<string, string>,
): Promise<string> {
  const { hostname, port } = new URL(api.url);
  const socket: Socket = connect(Number(port), hostname);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`${method} ${path} HTTP/1.1\r\nHost: x\r\n${lines.join('')}\r\n`);
  try {
    const [answer] = (await once(socket, 'data', { signal: AbortSignal.timeout(ANSWER_WITHIN_MS) })) as [
      Buffer,
    ];
    return answer.toString();
  } finally {
    socket.destroy();
  }
}

const json = { 'content-type': 'application/json', 'content-length': String(MIB) };
const bearer = (token: string): Record<string, string> => ({ authorization: `Bearer ${token}` });

describe('before a byte of its body is read, a request', () => {
  it.each<[string, string, string, () => Record<string, string>, number, string]>([
    ['without a key', 'POST', EXECUTE, () => json, 401, 'UNAUTHENTICATED'],
    ['with a wrong key', 'POST', EXECUTE, () => ({ ...json, ...bearer('csk_x') }), 401, 'UNAUTHENTICATED'],
    [
      'with a key for something else',
      'POST',
      EXECUTE,
      () => ({ ...json, ...bearer(reader) }),
      403,
      'INSUFFICIENT_SCOPE',
    ],
    ['for nothing that there is', 'POST', '/api/nothing/', () => json, 404, 'ROUTE_NOT_FOUND'],
    ['by a wrong method', 'PUT', EXECUTE, () => json, 405, 'METHOD_NOT_ALLOWED'],
    [
      'with `Expect: 100-continue`',
      'POST',
      EXECUTE,
      () => ({ ...json, expect: '100-continue' }),
      401,
      'UNAUTHENTICATED',
    ],
  ])('%s is refused', async (_name, method, path, headers, status, code) => {
    const answer = await sayOnlyTheHead(method, path, headers());

    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(answer).toContain(`"code":"${code}"`);
  });

  it('with a key hears that it may send it', async () => {
    const answer = await sayOnlyTheHead('POST', EXECUTE, { ...json, ...bearer(key), expect: '100-continue' });

    expect(answer).toBe('HTTP/1.1 100 Continue\r\n\r\n');
  });
});

describe('a body that is wrong in every way', () => {
  const broken = '{'.repeat(MIB);

  it.each<[string, () => Record<string, string>, string, number]>([
    ['is not judged without a key', () => ({}), broken, 401],
    ['is refused by its type', () => ({ ...bearer(key), 'content-type': 'text/plain' }), broken, 415],
    ['is refused by its size', () => bearer(key), `${broken}{`, 413],
    ['is refused by what it says', () => bearer(key), broken, 400],
  ])('%s', async (_name, headers, raw, status) => {
    expect((await ask(api.url, EXECUTE, { raw, headers: headers() })).status).toBe(status);
  });
});
