import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { formatApiKey, makeApiKey, SCOPES } from '#libs/persistence';
import { createSeededDatabase } from '../../../support/services/migrated-database.js';
import type { TestDatabase } from '../../../support/services/test-database.js';
import { startApi, type RunningApi } from '../api-fixture.js';
import { createKey } from '../api-keys.js';
import { cookieOf, SESSIONS, signInAt } from '../console-sessions.js';
import { expectProblem } from '../expect-problem.js';
import { ask, type Answer, type RequestOptions } from '../http-client.js';
import { idOf } from '../key-world.js';

const CURRENT = `${SESSIONS}current/`;
const PAGE = 'https://app.example.com';

let database: TestDatabase;
let api: RunningApi;
let open: RunningApi;
let key: string;

beforeAll(async () => {
  database = await createSeededDatabase();
  api = await startApi({ DATABASE_URL: database.url, AUTH: 'api-key', CORS_ORIGINS: PAGE });
  open = await startApi({ DATABASE_URL: database.url });
});
afterAll(async () => {
  await Promise.all([api.app.close(), open.app.close()]);
  await database.drop();
});
beforeEach(async () => {
  await api.dataSource.query('DELETE FROM api_key');
  key = await createKey(api.dataSource, ['executions:read', 'executions:write']);
});

const signIn = (apiKey: unknown = key, options: RequestOptions = {}): Promise<Answer> =>
  signInAt(api.url, apiKey, options);
const revoke = (apiKey: string): Promise<unknown> =>
  api.dataSource.query('UPDATE api_key SET revoked_at = now() WHERE id = $1', [idOf(apiKey)]);

describe('signing in', () => {
  it('exchanges a key for a cookie of 12 hours that no script and no other site can use', async () => {
    const answer = await signIn();

    expect(answer.status).toBe(201);
    expect(answer.body).toMatchObject({
      ...{ tenant_id: 'default', key_id: idOf(key), key_name: 'test', is_current: true },
      scopes: ['executions:read', 'executions:write'],
    });
    const lasts =
      Date.parse(String(answer.body['expires_at'])) - Date.parse(String(answer.body['created_at']));
    expect(lasts).toBe(12 * 3_600_000);
    expect(answer.headers.get('set-cookie')).toMatch(
      /^capstan_session=[0-9a-f-]{36}_[\w-]{43}; Max-Age=43200; Path=\/; HttpOnly; SameSite=Strict$/,
    );
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.text).not.toContain(cookieOf(answer).slice(-43));
  });

  it('marks the cookie as secure but on plain HTTP to this machine', async () => {
    const cookieFor = async (host: string): Promise<boolean> => {
      const { headers } = await api.app.inject({
        ...{ method: 'POST', url: SESSIONS, payload: { api_key: key } },
        headers: { host },
      });
      return String(headers['set-cookie']).endsWith('; Secure');
    };

    expect(
      await Promise.all(['localhost:3000', '127.0.0.1', '[::1]:80', 'agents.example.com'].map(cookieFor)),
    ).toEqual([false, false, false, true]);
  });

  it('stores no token, only its hash', async () => {
    const cookie = cookieOf(await signIn());

    const rows = await api.dataSource.query<object[]>('SELECT * FROM console_session');

    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toContain(cookie.slice(-43));
    expect(api.log.join('')).not.toContain(cookie.slice(-43));
  });

  it.each<[string, () => string]>([
    ['text that is no key', () => 'hello'],
    ['an unknown key', () => formatApiKey(makeApiKey())],
    ['another secret', () => `${key.slice(0, -1)}${key.endsWith('A') ? 'E' : 'A'}`],
  ])('refuses %s, and says no more', async (_name, keyOf) => {
    const answer = await signIn(keyOf());

    expectProblem(answer, { status: 401, code: 'UNAUTHENTICATED', detail: 'the API key is not valid' });
    expect(answer.headers.get('set-cookie')).toBe(null);
  });

  it('refuses a revoked and an expired key', async () => {
    const expired = await createKey(api.dataSource, SCOPES);
    await api.dataSource.query('UPDATE api_key SET expires_at = now() WHERE id = $1', [idOf(expired)]);
    await revoke(key);

    for (const ended of [key, expired]) expect((await signIn(ended)).status).toBe(401);
  });

  it.each<[string, unknown, string]>([
    ['no key', {}, '#/api_key'],
    ['a number', { api_key: 1 }, '#/api_key'],
    ['an empty key', { api_key: '' }, '#/api_key'],
    ['a key that is too long', { api_key: 'x'.repeat(201) }, '#/api_key'],
    ['a field more', { api_key: 'x', remember: true }, '#/remember'],
    ['a list', [], '#'],
  ])('names what is wrong: %s', async (_name, json, pointer) => {
    const answer = await ask(api.url, SESSIONS, { json });

    expect(answer).toMatchObject({ status: 400, body: { code: 'VALIDATION_ERROR' } });
    expect(answer.body['errors']).toMatchObject([{ pointer }]);
  });

  it('by a page of another origin is refused, so that no person is signed in as another', async () => {
    for (const headers of [{ 'sec-fetch-site': 'cross-site' }, { origin: PAGE }, { origin: 'null' }]) {
      const answer = await signIn(key, { headers });
      expect([answer.status, answer.body['code']]).toEqual([403, 'CROSS_SITE_REQUEST']);
    }
  });

  it('with AUTH=off is not needed', async () => {
    const answer = await ask(open.url, SESSIONS, { json: { api_key: key } });
    expect([answer.status, answer.body['code']]).toEqual([422, 'SIGN_IN_OFF']);
    expect((await ask(open.url, CURRENT)).body).toEqual({
      ...{ auth: 'off', tenant_id: 'default', scopes: [...SCOPES] },
      ...{ key_id: null, key_name: null, session_id: null, expires_at: null },
    });
    expect((await ask(open.url, CURRENT, { method: 'DELETE' })).status).toBe(404);
  });
});

describe('wrong keys', () => {
  it('at the sign-in count for their address as everywhere else', async () => {
    const limited = await startApi({
      ...{ DATABASE_URL: database.url, AUTH: 'api-key', TRUSTED_PROXIES: '127.0.0.1' },
      RATE_LIMIT_FAILURES_PER_ADDRESS: '2',
    });
    try {
      const from = (address: string, apiKey: string): Promise<Answer> =>
        ask(limited.url, SESSIONS, { json: { api_key: apiKey }, headers: { 'x-forwarded-for': address } });
      const statuses: number[] = [];
      for (let tries = 0; tries < 3; tries += 1) statuses.push((await from('203.0.113.7', 'csk_no')).status);

      expect(statuses).toEqual([401, 401, 429]);
      expect((await from('203.0.113.7', key)).status).toBe(429);
      expect((await from('203.0.113.8', key)).status).toBe(201);
    } finally {
      await limited.app.close();
    }
  });
});
