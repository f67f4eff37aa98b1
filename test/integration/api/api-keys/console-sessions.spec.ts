import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { expireConsoleSessions, SCOPES } from '#libs/persistence';
import { KeyWatch } from '../../../../apps/api/src/http/key-watch.js';
import { createSeededDatabase } from '../../../support/services/migrated-database.js';
import type { TestDatabase } from '../../../support/services/test-database.js';
import { startApi, type RunningApi } from '../api-fixture.js';
import { createKey } from '../api-keys.js';
import { askAsPage, cookieOf, SESSIONS, signInAt } from '../console-sessions.js';
import { expectProblem } from '../expect-problem.js';
import { ask, type Answer, type RequestOptions } from '../http-client.js';
import { idOf } from '../key-world.js';
import { openStream } from '../sse-client.js';

const CURRENT = `${SESSIONS}current/`;
const EXECUTE = '/api/agents/1/execute/';
const PAGE = 'https://app.example.com';
const ENDED = { status: 401, code: 'UNAUTHENTICATED', detail: 'the session has ended; sign in again' };
const SAME = { 'sec-fetch-site': 'same-origin' };

let database: TestDatabase;
let api: RunningApi;
let key: string;

beforeAll(async () => {
  database = await createSeededDatabase();
  api = await startApi({ DATABASE_URL: database.url, AUTH: 'api-key', CORS_ORIGINS: PAGE });
});
afterAll(async () => {
  await api.app.close();
  await database.drop();
});
beforeEach(async () => {
  await api.dataSource.query('DELETE FROM api_key');
  key = await createKey(api.dataSource, ['executions:read', 'executions:write']);
});

const signIn = (apiKey: unknown = key, options: RequestOptions = {}): Promise<Answer> =>
  signInAt(api.url, apiKey, options);
const askIn = (cookie: string, path: string, options: RequestOptions = {}): Promise<Answer> =>
  askAsPage(api.url, cookie, path, options);
const askWith = (apiKey: string, path: string, options: RequestOptions = {}): Promise<Answer> =>
  ask(api.url, path, { ...options, headers: { ...options.headers, authorization: `Bearer ${apiKey}` } });
const revoke = (apiKey: string): Promise<unknown> =>
  api.dataSource.query('UPDATE api_key SET revoked_at = now() WHERE id = $1', [idOf(apiKey)]);

describe('a session', () => {
  it('may do what its key may, and nothing else', async () => {
    const cookie = cookieOf(await signIn());

    expect((await askIn(cookie, '/api/executions/')).status).toBe(200);
    expect((await askIn(cookie, EXECUTE, { json: { input: 'x' } })).status).toBe(202);
    expectProblem(await askIn(cookie, '/api/agents/'), {
      ...{ status: 403, code: 'INSUFFICIENT_SCOPE', detail: 'the API key lacks the scope "agents:read"' },
    });
    await api.dataSource.query(`UPDATE api_key SET scopes = '{agents:read}'`);
    expect((await askIn(cookie, '/api/agents/')).status).toBe(200);
    expect((await askIn(cookie, '/api/executions/')).status).toBe(403);
  });

  it('sees what its tenant has', async () => {
    const stranger = await createKey(api.dataSource, SCOPES, 'stranger');
    await askWith(key, EXECUTE, { json: { input: 'x' } });
    const cookie = cookieOf(await signIn(stranger));

    expect((await askIn(cookie, '/api/executions/')).body).toMatchObject({ data: [] });
    expect((await askIn(cookie, CURRENT)).body).toMatchObject({ tenant_id: 'stranger' });
  });

  it('says who it is; so does a key', async () => {
    const signedIn = await signIn();

    expect((await askIn(cookieOf(signedIn), CURRENT)).body).toEqual({
      ...{ auth: 'api-key', tenant_id: 'default', scopes: ['executions:read', 'executions:write'] },
      ...{ key_id: idOf(key), key_name: 'test' },
      ...{ session_id: signedIn.body['id'], expires_at: signedIn.body['expires_at'] },
    });
    expect((await askWith(key, CURRENT)).body).toMatchObject({ session_id: null, expires_at: null });
    expect((await ask(api.url, CURRENT)).status).toBe(401);
  });

  it('ends with its key: revoked, expired or deleted', async () => {
    for (const end of ['revoked_at = now()', 'expires_at = now()']) {
      const other = await createKey(api.dataSource, SCOPES);
      const cookie = cookieOf(await signIn(other));
      await api.dataSource.query(`UPDATE api_key SET ${end} WHERE id = $1`, [idOf(other)]);
      expectProblem(await askIn(cookie, '/api/executions/'), ENDED);
    }
    const cookie = cookieOf(await signIn());
    await api.dataSource.query('DELETE FROM api_key');
    expectProblem(await askIn(cookie, '/api/executions/'), ENDED);
  });

  it('lasts no longer than its key', async () => {
    const end = new Date(Date.now() + 3_600_000).toISOString();
    await api.dataSource.query('UPDATE api_key SET expires_at = $1', [end]);

    expect((await signIn()).body).toMatchObject({ expires_at: end });
  });

  it('ends after its time, and is removed then', async () => {
    const cookie = cookieOf(await signIn());
    await signIn();
    const [id] = cookie.slice('capstan_session='.length).split('_');
    await api.dataSource.query('UPDATE console_session SET expires_at = now() WHERE id = $1', [id]);

    expectProblem(await askIn(cookie, '/api/executions/'), ENDED);
    await expireConsoleSessions(api.dataSource);
    expect(await api.dataSource.query('SELECT id FROM console_session')).toEqual([
      { id: expect.not.stringMatching(String(id)) },
    ]);
  });

  it.each([
    '',
    'hello',
    `${'0'.repeat(36)}_${'x'.repeat(43)}`,
    `0198c0de-0000-7000-8000-000000000001_${'x'.repeat(43)}`,
  ])('is no cookie such as "%s"', async (text) => {
    expectProblem(await askIn(`other=1; capstan_session=${text}`, '/api/executions/'), ENDED);
  });

  it('with the secret of another one is refused', async () => {
    const [one, two] = [cookieOf(await signIn()), cookieOf(await signIn())];

    expectProblem(await askIn(one.slice(0, -43) + two.slice(-43), '/api/executions/'), ENDED);
  });

  it('is nothing beside a key, which goes first', async () => {
    const cookie = cookieOf(await signIn());
    const reader = await createKey(api.dataSource, ['agents:read']);

    const answer = await askIn(cookie, CURRENT, { headers: { authorization: `Bearer ${reader}` } });

    expect(answer.body).toMatchObject({ key_id: idOf(reader), session_id: null });
    const wrong = await askIn(cookie, CURRENT, { headers: { authorization: 'Bearer csk_no' } });
    expect(wrong.status).toBe(401);
  });

  it('belongs to a key with at most a hundred: the next one ends the oldest', async () => {
    await api.dataSource.query(
      `INSERT INTO console_session (id, tenant_id, key_id, token_sha256, expires_at)
       SELECT ('0198c0de-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, 'default', $1, '', now() + interval '1 hour'
         FROM generate_series(1, 100) n`,
      [idOf(key)],
    );
    await signIn();

    const [row] = await api.dataSource.query<[object]>(
      `SELECT count(*)::int AS count, min(id::text) AS oldest FROM console_session`,
    );
    expect(row).toEqual({ count: 100, oldest: '0198c0de-0000-7000-8000-000000000002' });
  });
});

describe('a change by a session', () => {
  const change = (headers: Readonly<Record<string, string>>): Promise<Answer> =>
    ask(api.url, EXECUTE, { json: { input: 'x' }, headers });

  it('is for pages of this origin: by Sec-Fetch-Site, or where there is none by Origin', async () => {
    const cookie = cookieOf(await signIn());
    const own = { origin: api.url };

    for (const headers of [SAME, own, { ...SAME, origin: PAGE }])
      expect([headers, (await change({ cookie, ...headers })).status]).toEqual([headers, 202]);
  });

  it.each<[string, Readonly<Record<string, string>>]>([
    ['no word on where it comes from', {}],
    ['another site', { 'sec-fetch-site': 'cross-site' }],
    ['another origin of the same site', { 'sec-fetch-site': 'same-site' }],
    ['no page at all', { 'sec-fetch-site': 'none' }],
    ['another origin', { origin: PAGE }],
    ['another port', { origin: 'http://127.0.0.1:1' }],
    ['an origin that is hidden', { origin: 'null' }],
    ['an origin that is none', { origin: 'http://' }],
  ])('is refused with %s', async (_name, headers) => {
    const cookie = cookieOf(await signIn());

    const answer = await change({ cookie, ...headers });

    expect([answer.status, answer.body['code']]).toEqual([403, 'CROSS_SITE_REQUEST']);
    expect((await askIn(cookie, CURRENT, { headers })).status).toBe(200);
    expect((await change({ authorization: `Bearer ${key}`, cookie, ...headers })).status).toBe(202);
  });

  it('is never let in from another origin with credentials, even one that may call', async () => {
    const cookie = cookieOf(await signIn());
    const headers = { cookie, origin: PAGE };

    for (const answer of [
      await ask(api.url, '/api/executions/', { headers }),
      await ask(api.url, EXECUTE, {
        method: 'OPTIONS',
        headers: { ...headers, 'access-control-request-method': 'POST' },
      }),
    ]) {
      expect(answer.headers.get('access-control-allow-origin')).toBe(PAGE);
      expect(answer.headers.get('access-control-allow-credentials')).toBe(null);
    }
  });
});

describe('signing out', () => {
  it('ends the session and removes the cookie', async () => {
    const cookie = cookieOf(await signIn());
    const other = cookieOf(await signIn());

    const answer = await askIn(cookie, CURRENT, { method: 'DELETE' });

    expect([answer.status, answer.headers.get('set-cookie')]).toEqual([
      ...[204, 'capstan_session=; Max-Age=0; Path=/; HttpOnly; SameSite=Strict'],
    ]);
    expectProblem(await askIn(cookie, CURRENT), ENDED);
    expect((await askIn(other, CURRENT)).status).toBe(200);
    const withKey = await askWith(key, CURRENT, { method: 'DELETE' });
    expect(withKey.status).toBe(404);
  });

  it('in another browser is for keys that see the session: the same key, or the tenant for admin', async () => {
    const admin = await createKey(api.dataSource, ['admin']);
    const foreign = await createKey(api.dataSource, SCOPES, 'stranger');
    const [mine, theirs] = [await signIn(), await signIn(foreign)];
    const shown = async (apiKey: string): Promise<unknown[]> =>
      ((await askWith(apiKey, SESSIONS)).body['data'] as { id: string }[]).map(({ id }) => id);

    expect(await shown(key)).toEqual([mine.body['id']]);
    expect(await shown(admin)).toEqual([mine.body['id']]);
    expect(await shown(foreign)).toEqual([theirs.body['id']]);
    const another = await createKey(api.dataSource, ['executions:read']);
    expect(await shown(another)).toEqual([]);

    const end = (apiKey: string, id: unknown): Promise<Answer> =>
      askWith(apiKey, `${SESSIONS}${String(id)}/`, { method: 'DELETE' });
    for (const stranger of [another, foreign])
      expect((await end(stranger, mine.body['id'])).status).toBe(404);
    expect((await end(admin, mine.body['id'])).status).toBe(204);
    expect((await end(admin, mine.body['id'])).status).toBe(404);
    expect((await end(key, 'hello')).status).toBe(400);
    expectProblem(await askIn(cookieOf(mine), CURRENT), ENDED);
  });

  it('lists sessions in pages, the own one marked', async () => {
    await signIn();
    const cookie = cookieOf(await signIn());
    const first = await askIn(cookie, `${SESSIONS}?limit=1`);
    const second = await askIn(cookie, `${SESSIONS}?limit=1&cursor=${String(first.body['next_cursor'])}`);

    expect([first.body, second.body]).toMatchObject([
      { data: [{ is_current: true }], has_more: true },
      { data: [{ is_current: false }], has_more: false },
    ]);
    expect((await askIn(cookie, `${SESSIONS}?cursor=x`)).status).toBe(400);
  });

  it('closes the event streams of the session, and of no other', async () => {
    const { body } = await askWith(key, EXECUTE, { json: { input: 'x' } });
    const events = `/api/executions/${String(body['id'])}/events/`;
    const [one, two] = [cookieOf(await signIn()), cookieOf(await signIn())];
    const closing = await openStream(api.url, events, { cookie: one });
    const staying = await openStream(api.url, events, { cookie: two });
    await askIn(one, CURRENT, { method: 'DELETE' });

    await api.app.get(KeyWatch).closeOrphans();

    await expect(closing.rest()).rejects.toThrow('terminated');
    await revoke(key);
    await api.app.get(KeyWatch).closeOrphans();
    await expect(staying.rest()).rejects.toThrow('terminated');
  });
});
