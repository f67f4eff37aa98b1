import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { ApiKeyChangesStore, ApiKeyStore, parseApiKey, SCOPES } from '#libs/persistence';
import { KeyWatch } from '../../../apps/api/src/http/key-watch.js';
import { createSeededDatabase } from '../../support/services/migrated-database.js';
import type { TestDatabase } from '../../support/services/test-database.js';
import { waitFor } from '../../support/services/wait-for.js';
import { startApi, type RunningApi } from './api-fixture.js';
import { createKey } from './api-keys.js';
import { expectProblem } from './expect-problem.js';
import { ask, type Answer, type RequestOptions } from './http-client.js';
import { openStream } from './sse-client.js';

const NOT_VALID = { status: 401, code: 'UNAUTHENTICATED', detail: 'the API key is not valid' };
const NEW = { name: 'a program', scopes: ['agents:read'] };

let database: TestDatabase;
let api: RunningApi;
/** Another process on the same database. */
let other: RunningApi;
let admin: string;

beforeAll(async () => {
  database = await createSeededDatabase();
  [api, other] = await Promise.all([
    startApi({ DATABASE_URL: database.url, AUTH: 'api-key' }),
    startApi({ DATABASE_URL: database.url, AUTH: 'api-key' }),
  ]);
});
beforeEach(async () => {
  await api.dataSource.query('DELETE FROM api_key');
  admin = await createKey(api.dataSource, SCOPES);
});
afterAll(async () => {
  await Promise.all([api.app.close(), other.app.close()]);
  await database.drop();
});

function askAs(key: string, path: string, options: RequestOptions = {}): Promise<Answer> {
  const headers = { ...options.headers, authorization: `Bearer ${key}` };
  return ask(api.url, path, { ...options, headers });
}

const make = (fields: object, as = admin): Promise<Answer> => askAs(as, '/api/api-keys/', { json: fields });
const act = (id: string, action: string, options: RequestOptions = {}, as = admin): Promise<Answer> =>
  askAs(as, `/api/api-keys/${id}/${action}/`, { method: 'POST', ...options });
const idOf = (key: string): string => parseApiKey(key)?.id ?? '';
const statusAt = async (running: RunningApi, key: string): Promise<number> =>
  (await ask(running.url, '/api/agents/', { headers: { authorization: `Bearer ${key}` } })).status;

async function countWaiting(): Promise<number> {
  const [row] = await other.dataSource.query<{ count: number }[]>(
    `SELECT count(*)::int FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
  );
  return row?.count ?? 0;
}

describe('a new key', () => {
  it('is shown once, acts at once for its tenant by its scopes, and is stored as a hash', async () => {
    await createKey(api.dataSource, [], 'acme');
    const made = await make({ ...NEW, tenant_id: 'acme' });

    expect(made).toMatchObject({
      status: 201,
      body: {
        ...{ name: 'a program', tenant_id: 'acme', scopes: ['agents:read'], status: 'active' },
        ...{ expires_at: null, last_used_at: null, revoked_at: null, replaced_by: null },
        created_by: idOf(admin),
      },
    });
    const key = String(made.body.key);
    const id = String(made.body.id);
    expect(key).toMatch(/^csk_[0-9a-f]{16}_[A-Za-z0-9_-]{43}$/);
    expect(idOf(key)).toBe(id);
    expect(made.headers.get('location')).toBe(`/api/api-keys/${id}/`);
    expect(made.headers.get('cache-control')).toBe('no-store');
    expect(JSON.parse((await askAs(key, '/api/agents/')).text)).toEqual([]);
    expect((await askAs(key, '/api/executions/')).status).toBe(403);
    const secret = parseApiKey(key)?.secret ?? '';
    const [stored] = await api.dataSource.query<object[]>('SELECT * FROM api_key WHERE id = $1', [id]);
    const read = await askAs(admin, String(made.headers.get('location')));
    expect(read.body).toEqual({ ...made.body, key: undefined, last_used_at: expect.anything() });
    for (const place of [JSON.stringify(stored), read.text, api.log.join('')])
      expect(place).not.toContain(secret);
    expect(read.text).not.toContain('sha256');
  });

  it.each<[string, object, string, string]>([
    [
      'an unknown scope',
      { ...NEW, scopes: ['agents:read', 'agents:delete'] },
      '#/scopes/1',
      `must be one of ${SCOPES.join(', ')}`,
    ],
    ['no scope', { ...NEW, scopes: [] }, '#/scopes', 'must not be empty'],
    ['no name', { ...NEW, name: ' ' }, '#/name', 'must not be empty'],
    ['an unknown tenant', { ...NEW, tenant_id: 'nobody' }, '#/tenant_id', 'must be the id of a tenant'],
    [
      'an end that was',
      { ...NEW, expires_at: '2020-01-01T00:00:00Z' },
      '#/expires_at',
      'must be in the future',
    ],
    ['an end without its zone', { ...NEW, expires_at: '2999-01-01T00:00:00' }, '#/expires_at', 'Invalid'],
  ])('with %s is refused', async (_name, fields, pointer, detail) => {
    const { status, body } = await make(fields);

    expect(status).toBe(400);
    expect(body.errors).toEqual([{ pointer, detail: expect.stringContaining(detail) }]);
    expect((await askAs(admin, '/api/api-keys/')).body.data).toHaveLength(1);
  });

  it('gives nothing that the key of the request lacks, nor does a rotation', async () => {
    const few = await createKey(api.dataSource, ['admin', 'agents:read']);
    const refused = {
      status: 403,
      code: 'INSUFFICIENT_SCOPE',
      detail: 'an API key gives no scope that it lacks itself: audit:read',
    };

    expectProblem(await make({ ...NEW, scopes: ['agents:read', 'audit:read'] }, few), refused);
    expect((await make({ ...NEW, scopes: ['agents:read', 'admin'] }, few)).status).toBe(201);
    const more = await createKey(api.dataSource, ['audit:read']);
    expectProblem(await act(idOf(more), 'rotate', {}, few), refused);
    expect(await statusAt(api, more)).toBe(403);
  });

  it('is good until it expires', async () => {
    const made = await make({ ...NEW, expires_at: '2999-01-01T09:00:00+09:00' });
    const key = String(made.body.key);
    expect(made.body.expires_at).toBe('2999-01-01T00:00:00.000Z');
    expect(await statusAt(api, key)).toBe(200);

    await api.dataSource.query('UPDATE api_key SET expires_at = now() WHERE id = $1', [idOf(key)]);

    expectProblem(await askAs(key, '/api/agents/'), NOT_VALID);
    expect((await askAs(admin, `/api/api-keys/${idOf(key)}/`)).body.status).toBe('expired');
  });
});

it('keys are listed newest first, in pages, by tenant and by status', async () => {
  const keys = [admin];
  for (const tenant of ['acme', 'acme', 'default']) keys.unshift(await createKey(api.dataSource, [], tenant));
  const [newest, second, third, oldest] = keys.map(idOf);
  await act(String(second), 'revoke');
  const list = async (query: string): Promise<unknown[]> => {
    const { body } = await askAs(admin, `/api/api-keys/?${query}`);
    return (body.data as { id: string }[]).map(({ id }) => id);
  };

  expect(await list('')).toEqual([newest, second, third, oldest]);
  const first = await askAs(admin, '/api/api-keys/?limit=3');
  expect(first.body.has_more).toBe(true);
  expect(await list(`limit=3&cursor=${String(first.body.next_cursor)}`)).toEqual([oldest]);
  expect(await list('tenant_id=acme')).toEqual([second, third]);
  expect(await list('tenant_id=acme&status=revoked')).toEqual([second]);
  expect(await list('status=expired')).toEqual([]);
});

describe('a revoked key', () => {
  it('is refused at once by every process, for good, and stays in the list', async () => {
    const key = await createKey(api.dataSource, ['agents:read']);
    expect([await statusAt(api, key), await statusAt(other, key)]).toEqual([200, 200]);

    const revoked = await act(idOf(key), 'revoke');

    expect(revoked).toMatchObject({ status: 200, body: { id: idOf(key), status: 'revoked' } });
    expect([await statusAt(api, key), await statusAt(other, key)]).toEqual([401, 401]);
    expect((await act(idOf(key), 'revoke')).body).toEqual(revoked.body);
    expect((await act('0123456789abcdef', 'revoke')).status).toBe(404);
  });

  it('ends what it holds open: the event stream closes, those of other keys stay', async () => {
    const key = await createKey(api.dataSource, ['executions:read']);
    const { body } = await askAs(admin, '/api/agents/1/execute/', { json: { input: 'x' } });
    const open = (as: string) =>
      openStream(api.url, `/api/executions/${String(body.id)}/events/`, { authorization: `Bearer ${as}` });
    const [mine, theirs] = await Promise.all([open(key), open(admin)]);
    await Promise.all([mine.take(1), theirs.take(1)]);
    const watch = api.app.get(KeyWatch);
    await watch.closeOrphans();

    await act(idOf(key), 'revoke');
    await watch.closeOrphans();

    await expect(mine.rest()).rejects.toThrow('terminated');
    await api.events.append(String(body.id), 2, [{ event: 'text_delta', data: { content: 'x', round: 1 } }]);
    expect(await theirs.take(1)).toMatchObject([{ event: 'text_delta' }]);
    theirs.leave();
  });

  it('is never the last of those with the scope admin that go on', async () => {
    const refused = {
      status: 409,
      code: 'LAST_ADMIN_KEY',
      detail: 'it is the last key with the scope admin that goes on; make another one, or rotate it',
    };
    expectProblem(await act(idOf(admin), 'revoke'), refused);
    const short = await createKey(api.dataSource, ['admin']);
    await api.dataSource.query(`UPDATE api_key SET expires_at = now() + interval '1 hour' WHERE id = $1`, [
      idOf(short),
    ]);
    expectProblem(await act(idOf(admin), 'revoke'), refused);
    const overlap_seconds = 7 * 86_400;
    const replaced = String((await act(idOf(admin), 'rotate', { json: { overlap_seconds } })).body.key);
    expectProblem(await act(idOf(replaced), 'revoke'), refused);
    expect((await act(idOf(admin), 'revoke')).status).toBe(200);
    expectProblem(await act(idOf(replaced), 'revoke', {}, replaced), refused);
    expect(await statusAt(api, replaced)).toBe(200);
    expect((await act(idOf(short), 'revoke', {}, replaced)).status).toBe(200);
  });

  it('is one of two that revoke each other at the same time', async () => {
    const second = await createKey(api.dataSource, ['admin']);
    const changes = [api, other].map(({ dataSource }) => new ApiKeyChangesStore(dataSource));

    const kinds = await Promise.all(
      changes.map((store, n) => store.revoke(idOf([admin, second][n] ?? ''), { isForced: false })),
    );

    expect(kinds.map(({ kind }) => kind).sort()).toEqual(['last_admin', 'revoked']);
  });
});

describe('a rotated key', () => {
  it('is good beside the new one for a while', async () => {
    await createKey(api.dataSource, [], 'acme');
    const old = await make({ ...NEW, tenant_id: 'acme', expires_at: '2999-01-01T00:00:00Z' });
    const [oldKey, oldId] = [String(old.body.key), String(old.body.id)];

    const rotated = await act(oldId, 'rotate', { json: { overlap_seconds: 600 } });

    const id = String(rotated.body.id);
    expect(rotated).toMatchObject({
      status: 201,
      body: { name: 'a program', tenant_id: 'acme', scopes: ['agents:read'], created_by: idOf(admin) },
    });
    expect(Date.parse(String(rotated.body.expires_at))).toBeGreaterThan(Date.parse('2998-12-31'));
    expect(rotated.headers.get('location')).toBe(`/api/api-keys/${id}/`);
    expect([await statusAt(api, oldKey), await statusAt(other, String(rotated.body.key))]).toEqual([
      200, 200,
    ]);
    const [times] = await api.dataSource.query<{ rest: number }[]>(
      'SELECT extract(epoch FROM expires_at - now())::int AS rest FROM api_key WHERE id = $1',
      [oldId],
    );
    expect(times?.rest).toBeLessThanOrEqual(600);
    expect((await askAs(admin, `/api/api-keys/${oldId}/`)).body).toMatchObject({
      status: 'active',
      replaced_by: id,
    });

    await api.dataSource.query('UPDATE api_key SET expires_at = now() WHERE id = $1', [oldId]);

    expect([await statusAt(api, oldKey), await statusAt(api, String(rotated.body.key))]).toEqual([401, 200]);
  });

  it('ends at once where no overlap is asked for; without an end, the new one has none', async () => {
    const old = await createKey(api.dataSource, ['agents:read']);

    const { body } = await act(idOf(old), 'rotate', { json: { overlap_seconds: 0 } });

    expect(body.expires_at).toBe(null);
    expect([await statusAt(other, old), await statusAt(other, String(body.key))]).toEqual([401, 200]);
  });

  it('is replaced once, however many ask at the same time', async () => {
    const id = idOf(await createKey(api.dataSource, ['agents:read']));
    const asked = await api.dataSource.transaction(async (manager) => {
      await manager.query('SELECT 1 FROM api_key WHERE id = $1 FOR UPDATE', [id]);
      const answers = [1, 2, 3].map(() => act(id, 'rotate'));
      await waitFor(async () => (await countWaiting()) === 3, { description: 'three that wait for the row' });
      return { answers };
    });

    const answers = await Promise.all(asked.answers);

    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
    const made = String(answers.find(({ status }) => status === 201)?.body.id);
    const detail = `the API key ${made} replaces it already; rotate that one`;
    expectProblem(await act(id, 'rotate'), { status: 409, code: 'API_KEY_NOT_CURRENT', detail });
    expect((await askAs(admin, '/api/api-keys/')).body.data).toHaveLength(3);
  });

  it('is not one that is over', async () => {
    const id = idOf(await createKey(api.dataSource, ['agents:read']));
    await act(id, 'revoke');

    const detail = 'the API key is revoked or expired; make a new one';
    expectProblem(await act(id, 'rotate'), { status: 409, code: 'API_KEY_NOT_CURRENT', detail });
    expect((await act(id, 'rotate', { json: { overlap_seconds: -1 } })).status).toBe(400);
  });
});

describe('the last use of a key', () => {
  const usedAt = async (key: string): Promise<string | null> => {
    const sql = 'SELECT last_used_at::text AS at FROM api_key WHERE id = $1';
    const [row] = await api.dataSource.query<{ at: string | null }[]>(sql, [idOf(key)]);
    return row?.at ?? null;
  };

  it('is written when it is old, and not for every request', async () => {
    const key = await createKey(api.dataSource, ['agents:read']);
    expect(await usedAt(key)).toBe(null);
    await statusAt(api, key);
    const first = await waitFor(() => usedAt(key), { description: 'its first use' });

    const store = api.app.get(ApiKeyStore);
    const noteUse = jest.spyOn(store, 'noteUse');
    for (const running of [api, other, api]) await statusAt(running, key);
    expect(noteUse).not.toHaveBeenCalled();
    await store.noteUse(idOf(key));
    expect(await usedAt(key)).toBe(first);

    await api.dataSource.query(
      `UPDATE api_key SET last_used_at = now() - interval '6 minutes' WHERE id = $1`,
      [idOf(key)],
    );
    const old = await usedAt(key);
    await statusAt(other, key);
    await waitFor(async () => (await usedAt(key)) !== old, { description: 'a new use' });
  });

  it('is not that of somebody who has but the id', async () => {
    const key = await createKey(api.dataSource, ['agents:read']);

    expect(await statusAt(api, `csk_${idOf(key)}_${'A'.repeat(43)}`)).toBe(401);

    expect(await usedAt(key)).toBe(null);
  });
});
