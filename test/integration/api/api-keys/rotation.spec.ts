import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { ApiKeyStore } from '#libs/persistence';
import { waitFor } from '../../../support/services/wait-for.js';
import { expectProblem } from '../expect-problem.js';
import { idOf, KeyWorld } from '../key-world.js';

const NEW = { name: 'a program', scopes: ['agents:read'] };

let world: KeyWorld;

beforeAll(async () => {
  world = await KeyWorld.open();
});
beforeEach(() => world.refresh());
afterAll(() => world.close());

async function countWaiting(): Promise<number> {
  const [row] = await world.other.dataSource.query<{ count: number }[]>(
    `SELECT count(*)::int FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
  );
  return row?.count ?? 0;
}

describe('a rotated key', () => {
  it('is good beside the new one for a while', async () => {
    await world.createKey([], 'acme');
    const old = await world.make({ ...NEW, tenant_id: 'acme', expires_at: '2999-01-01T00:00:00Z' });
    const [oldKey, oldId] = [String(old.body.key), String(old.body.id)];

    const rotated = await world.act(oldId, 'rotate', { json: { overlap_seconds: 600 } });

    const id = String(rotated.body.id);
    expect(rotated).toMatchObject({
      status: 201,
      body: { name: 'a program', tenant_id: 'acme', scopes: ['agents:read'], created_by: idOf(world.admin) },
    });
    expect(Date.parse(String(rotated.body.expires_at))).toBeGreaterThan(Date.parse('2998-12-31'));
    expect(rotated.headers.get('location')).toBe(`/api/api-keys/${id}/`);
    expect([
      await world.statusAt(world.api, oldKey),
      await world.statusAt(world.other, String(rotated.body.key)),
    ]).toEqual([200, 200]);
    const [times] = await world.api.dataSource.query<{ rest: number }[]>(
      'SELECT extract(epoch FROM expires_at - now())::int AS rest FROM api_key WHERE id = $1',
      [oldId],
    );
    expect(times?.rest).toBeLessThanOrEqual(600);
    expect((await world.askAs(world.admin, `/api/api-keys/${oldId}/`)).body).toMatchObject({
      status: 'active',
      replaced_by: id,
    });

    await world.api.dataSource.query('UPDATE api_key SET expires_at = now() WHERE id = $1', [oldId]);

    expect([
      await world.statusAt(world.api, oldKey),
      await world.statusAt(world.api, String(rotated.body.key)),
    ]).toEqual([401, 200]);
  });

  it('ends at once where no overlap is asked for; without an end, the new one has none', async () => {
    const old = await world.createKey(['agents:read']);

    const { body } = await world.act(idOf(old), 'rotate', { json: { overlap_seconds: 0 } });

    expect(body.expires_at).toBe(null);
    expect([
      await world.statusAt(world.other, old),
      await world.statusAt(world.other, String(body.key)),
    ]).toEqual([401, 200]);
  });

  it('is replaced once, however many ask at the same time', async () => {
    const id = idOf(await world.createKey(['agents:read']));
    const asked = await world.api.dataSource.transaction(async (manager) => {
      await manager.query('SELECT 1 FROM api_key WHERE id = $1 FOR UPDATE', [id]);
      const answers = [1, 2, 3].map(() => world.act(id, 'rotate'));
      await waitFor(async () => (await countWaiting()) === 3, { description: 'three that wait for the row' });
      return { answers };
    });

    const answers = await Promise.all(asked.answers);

    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
    const made = String(answers.find(({ status }) => status === 201)?.body.id);
    const detail = `the API key ${made} has already replaced it; rotate that one`;
    expectProblem(await world.act(id, 'rotate'), { status: 409, code: 'API_KEY_NOT_CURRENT', detail });
    expect((await world.askAs(world.admin, '/api/api-keys/')).body.data).toHaveLength(3);
  });

  it('is not one that is over', async () => {
    const id = idOf(await world.createKey(['agents:read']));
    await world.act(id, 'revoke');

    const detail = 'the API key is revoked or expired; create a new one';
    expectProblem(await world.act(id, 'rotate'), { status: 409, code: 'API_KEY_NOT_CURRENT', detail });
    expect((await world.act(id, 'rotate', { json: { overlap_seconds: -1 } })).status).toBe(400);
  });
});

describe('the last use of a key', () => {
  const usedAt = async (key: string): Promise<string | null> => {
    const sql = 'SELECT last_used_at::text AS at FROM api_key WHERE id = $1';
    const [row] = await world.api.dataSource.query<{ at: string | null }[]>(sql, [idOf(key)]);
    return row?.at ?? null;
  };

  it('is written when it is old, and not for every request', async () => {
    const key = await world.createKey(['agents:read']);
    expect(await usedAt(key)).toBe(null);
    await world.statusAt(world.api, key);
    const first = await waitFor(() => usedAt(key), { description: 'its first use' });

    const store = world.api.app.get(ApiKeyStore);
    const noteUse = jest.spyOn(store, 'noteUse');
    for (const running of [world.api, world.other, world.api]) await world.statusAt(running, key);
    expect(noteUse).not.toHaveBeenCalled();
    await store.noteUse(idOf(key));
    expect(await usedAt(key)).toBe(first);

    await world.api.dataSource.query(
      `UPDATE api_key SET last_used_at = now() - interval '6 minutes' WHERE id = $1`,
      [idOf(key)],
    );
    const old = await usedAt(key);
    await world.statusAt(world.other, key);
    await waitFor(async () => (await usedAt(key)) !== old, { description: 'a new use' });
  });

  it('is not changed by a caller that has only the id', async () => {
    const key = await world.createKey(['agents:read']);

    expect(await world.statusAt(world.api, `csk_${idOf(key)}_${'A'.repeat(43)}`)).toBe(401);

    expect(await usedAt(key)).toBe(null);
  });
});
