import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { ApiKeyChangesStore, parseApiKey, SCOPES } from '#libs/persistence';
import { waitFor } from '../../../support/services/wait-for.js';
import { KeyWatch } from '../../../../apps/api/src/http/key-watch.js';
import { expectProblem } from '../expect-problem.js';
import { idOf, KeyWorld } from '../key-world.js';
import { openStream } from '../sse-client.js';

const NOT_VALID = { status: 401, code: 'UNAUTHENTICATED', detail: 'the API key is not valid' };
const NEW = { name: 'a program', scopes: ['agents:read'] };

let world: KeyWorld;

beforeAll(async () => {
  world = await KeyWorld.open();
});
beforeEach(() => world.refresh());
afterAll(() => world.close());

describe('a new key', () => {
  it('is shown once, acts at once for its tenant by its scopes, and is stored as a hash', async () => {
    await world.createKey([], 'acme');
    const made = await world.make({ ...NEW, tenant_id: 'acme' });

    expect(made).toMatchObject({
      status: 201,
      body: {
        ...{ name: 'a program', tenant_id: 'acme', scopes: ['agents:read'], status: 'active' },
        ...{ expires_at: null, last_used_at: null, revoked_at: null, replaced_by: null },
        created_by: idOf(world.admin),
      },
    });
    const key = String(made.body.key);
    const id = String(made.body.id);
    expect(key).toMatch(/^csk_[0-9a-f]{16}_[A-Za-z0-9_-]{43}$/);
    expect(idOf(key)).toBe(id);
    expect(made.headers.get('location')).toBe(`/api/api-keys/${id}/`);
    expect(made.headers.get('cache-control')).toBe('no-store');
    expect(JSON.parse((await world.askAs(key, '/api/agents/')).text)).toEqual([]);
    expect((await world.askAs(key, '/api/executions/')).status).toBe(403);
    const secret = parseApiKey(key)?.secret ?? '';
    const [stored] = await world.api.dataSource.query<object[]>('SELECT * FROM api_key WHERE id = $1', [id]);
    const isUsed = `SELECT id FROM api_key WHERE id = $1 AND last_used_at IS NOT NULL`;
    // No request waits until its use is written.
    await waitFor(async () => (await world.api.dataSource.query<object[]>(isUsed, [id])).length > 0, {
      description: 'the use of the key to be written',
    });
    const read = await world.askAs(world.admin, String(made.headers.get('location')));
    expect(read.body).toEqual({ ...made.body, key: undefined, last_used_at: expect.anything() });
    for (const place of [JSON.stringify(stored), read.text, world.api.log.join('')])
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
    const { status, body } = await world.make(fields);

    expect(status).toBe(400);
    expect(body.errors).toEqual([{ pointer, detail: expect.stringContaining(detail) }]);
    expect((await world.askAs(world.admin, '/api/api-keys/')).body.data).toHaveLength(1);
  });

  it('gives nothing that the key of the request lacks, nor does a rotation', async () => {
    const few = await world.createKey(['admin', 'agents:read']);
    const refused = {
      status: 403,
      code: 'INSUFFICIENT_SCOPE',
      detail: 'an API key can grant only its own scopes; it lacks: audit:read',
    };

    expectProblem(await world.make({ ...NEW, scopes: ['agents:read', 'audit:read'] }, few), refused);
    expect((await world.make({ ...NEW, scopes: ['agents:read', 'admin'] }, few)).status).toBe(201);
    const more = await world.createKey(['audit:read']);
    expectProblem(await world.act(idOf(more), 'rotate', {}, few), refused);
    expect(await world.statusAt(world.api, more)).toBe(403);
  });

  it('is good for no longer than the key that makes it, nor is one that it rotates', async () => {
    const { body } = await world.make({ ...NEW, scopes: [...SCOPES], expires_at: '2998-01-01T00:00:00Z' });
    const [admin, id] = [String(body.key), String(body.id)];
    const refused = {
      status: 403,
      code: 'API_KEY_OUTLIVES_MAKER',
      detail:
        'the new API key must not expire later than the key of this request: ' +
        'send an earlier `expires_at`, or use a key that expires later',
    };

    for (const expires_at of [null, '2998-01-01T00:00:01Z'])
      expectProblem(await world.make({ ...NEW, expires_at }, admin), refused);
    const sooner = await world.make({ ...NEW, expires_at: '2998-01-01T00:00:00Z' }, admin);
    expect(sooner.status).toBe(201);
    const unending = await world.createKey(['agents:read']);
    for (const other of [id, String(sooner.body.id), idOf(unending)])
      expectProblem(await world.act(other, 'rotate', {}, admin), refused);

    expect(await world.statusAt(world.api, unending)).toBe(200);
    expect((await world.askAs(world.admin, `/api/api-keys/${id}/`)).body.replaced_by).toBe(null);
    expect((await world.act(id, 'rotate')).status).toBe(201);
  });

  it('is good until it expires', async () => {
    const made = await world.make({ ...NEW, expires_at: '2999-01-01T09:00:00+09:00' });
    const key = String(made.body.key);
    expect(made.body.expires_at).toBe('2999-01-01T00:00:00.000Z');
    expect(await world.statusAt(world.api, key)).toBe(200);

    await world.api.dataSource.query('UPDATE api_key SET expires_at = now() WHERE id = $1', [idOf(key)]);

    expectProblem(await world.askAs(key, '/api/agents/'), NOT_VALID);
    expect((await world.askAs(world.admin, `/api/api-keys/${idOf(key)}/`)).body.status).toBe('expired');
  });
});

it('keys are listed newest first, in pages, by tenant and by status', async () => {
  const keys = [world.admin];
  for (const tenant of ['acme', 'acme', 'default']) keys.unshift(await world.createKey([], tenant));
  const [newest, second, third, oldest] = keys.map(idOf);
  await world.act(String(second), 'revoke');
  const list = async (query: string): Promise<unknown[]> => {
    const { body } = await world.askAs(world.admin, `/api/api-keys/?${query}`);
    return (body.data as { id: string }[]).map(({ id }) => id);
  };

  expect(await list('')).toEqual([newest, second, third, oldest]);
  const first = await world.askAs(world.admin, '/api/api-keys/?limit=3');
  expect(first.body.has_more).toBe(true);
  expect(await list(`limit=3&cursor=${String(first.body.next_cursor)}`)).toEqual([oldest]);
  expect(await list('tenant_id=acme')).toEqual([second, third]);
  expect(await list('tenant_id=acme&status=revoked')).toEqual([second]);
  expect(await list('status=expired')).toEqual([]);
});

describe('a revoked key', () => {
  it('is refused at once by every process, for good, and stays in the list', async () => {
    const key = await world.createKey(['agents:read']);
    expect([await world.statusAt(world.api, key), await world.statusAt(world.other, key)]).toEqual([
      200, 200,
    ]);

    const revoked = await world.act(idOf(key), 'revoke');

    expect(revoked).toMatchObject({ status: 200, body: { id: idOf(key), status: 'revoked' } });
    expect([await world.statusAt(world.api, key), await world.statusAt(world.other, key)]).toEqual([
      401, 401,
    ]);
    expect((await world.act(idOf(key), 'revoke')).body).toEqual(revoked.body);
    expect((await world.act('0123456789abcdef', 'revoke')).status).toBe(404);
  });

  it('ends what it holds open: the event stream closes, those of other keys stay', async () => {
    const key = await world.createKey(['executions:read']);
    const { body } = await world.askAs(world.admin, '/api/agents/1/execute/', { json: { input: 'x' } });
    const open = (as: string) =>
      openStream(world.api.url, `/api/executions/${String(body.id)}/events/`, {
        authorization: `Bearer ${as}`,
      });
    const [mine, theirs] = await Promise.all([open(key), open(world.admin)]);
    await Promise.all([mine.take(1), theirs.take(1)]);
    const watch = world.api.app.get(KeyWatch);
    await watch.closeOrphans();

    await world.act(idOf(key), 'revoke');
    await watch.closeOrphans();

    await expect(mine.rest()).rejects.toThrow('terminated');
    await world.api.events.append(String(body.id), 2, [
      { event: 'text_delta', data: { content: 'x', round: 1 } },
    ]);
    expect(await theirs.take(1)).toMatchObject([{ event: 'text_delta' }]);
    theirs.leave();
  });

  it('is never the last of those with the scope admin that go on', async () => {
    const refused = {
      status: 409,
      code: 'LAST_ADMIN_KEY',
      detail: 'no other key with the scope admin stays valid; create another one, or rotate this one',
    };
    expectProblem(await world.act(idOf(world.admin), 'revoke'), refused);
    const short = await world.createKey(['admin']);
    await world.api.dataSource.query(
      `UPDATE api_key SET expires_at = now() + interval '1 hour' WHERE id = $1`,
      [idOf(short)],
    );
    expectProblem(await world.act(idOf(world.admin), 'revoke'), refused);
    const overlap_seconds = 7 * 86_400;
    const replaced = String(
      (await world.act(idOf(world.admin), 'rotate', { json: { overlap_seconds } })).body.key,
    );
    expectProblem(await world.act(idOf(replaced), 'revoke'), refused);
    expect((await world.act(idOf(world.admin), 'revoke')).status).toBe(200);
    expectProblem(await world.act(idOf(replaced), 'revoke', {}, replaced), refused);
    expect(await world.statusAt(world.api, replaced)).toBe(200);
    expect((await world.act(idOf(short), 'revoke', {}, replaced)).status).toBe(200);
  });

  it('is one of two that revoke each other at the same time', async () => {
    const second = await world.createKey(['admin']);
    const changes = [world.api, world.other].map(({ dataSource }) => new ApiKeyChangesStore(dataSource));

    const kinds = await Promise.all(
      changes.map((store, n) => store.revoke(idOf([world.admin, second][n] ?? ''), { isForced: false })),
    );

    expect(kinds.map(({ kind }) => kind).sort()).toEqual(['last_admin', 'revoked']);
  });
});
