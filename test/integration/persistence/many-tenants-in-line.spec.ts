import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ExecutionClaimStore, ExecutionDispatchStore, findUnderserved } from '#libs/persistence';
import { CLAIM_OPTIONS, DISPATCH_OPTIONS, PersistenceWorld } from './persistence-world.js';

const TENANTS = 450;
/** Tenants that one dispatch, or one look for the underserved, considers. */
const AT_ONCE = 200;

let world: PersistenceWorld;
beforeAll(async () => {
  world = await PersistenceWorld.open();
  await world.dataSource.query(`INSERT INTO worker (id, places) VALUES ('w1', 4)`);
  // One execution of each tenant; those of the last tenants have waited longest.
  await world.dataSource.query(
    `WITH session AS (
       INSERT INTO chat_session (id, tenant_id, agent_id, next_turn)
       SELECT gen_random_uuid(), 't' || lpad(place::text, 3, '0'), 1, 2 FROM generate_series(1, $1::int) AS place
       RETURNING id, tenant_id
     )
     INSERT INTO execution (id, tenant_id, agent_id, agent_version, session_id, turn_number, request, created_at)
     SELECT gen_random_uuid(), tenant_id, 1, 1, id, 1, '{"input": "hi", "options": {}, "additional_data": {}}',
            now() - substr(tenant_id, 2)::int * interval '1 second'
       FROM session`,
    [TENANTS],
  );
});
afterAll(() => world.close());

/** Numbers of the tenants of executions, in order. */
async function tenantsOf(executions: readonly { readonly executionId: string }[]): Promise<number[]> {
  const rows = await world.dataSource.query<{ id: string; tenant: number }[]>(
    'SELECT id, substr(tenant_id, 2)::int AS tenant FROM execution WHERE id = ANY($1)',
    [executions.map(({ executionId }) => executionId)],
  );
  return executions.map(({ executionId }) => rows.find(({ id }) => id === executionId)?.tenant ?? 0);
}

const from = (first: number, count: number): number[] =>
  Array.from({ length: count }, (_value, index) => first - index);

describe('with more tenants in line than are considered at once', () => {
  it('looks for the underserved go on where the one before has ended, and begin again after the last', async () => {
    const find = (after: string) =>
      findUnderserved(world.dataSource, { tenantShare: 0.5, limit: 2, tenantLimit: 1, after });
    const ends: string[] = [];
    const found: number[][] = [];
    for (let looks = 0; looks < 4; looks += 1) {
      const { executions, last } = await find(ends.at(-1) ?? '');
      ends.push(last);
      found.push(await tenantsOf(executions));
    }
    expect(ends).toEqual(['t200', 't400', 't150', 't350']);
    expect(found).toEqual([
      [200, 199],
      [400, 399],
      [450, 449],
      [350, 349],
    ]);
  });

  it('a claim is refused to a tenant with its share, though the others are many', async () => {
    const claims = new ExecutionClaimStore(world.dataSource);
    const { executions } = await findUnderserved(world.dataSource, {
      ...{ tenantShare: 0.5, limit: 1, tenantLimit: 1, after: 't449' },
    });
    await world.dataSource.query(`UPDATE worker SET places = 1`);
    await claims.claim(executions[0]?.executionId ?? '', CLAIM_OPTIONS);
    expect(await tenantsOf(executions)).toEqual([450]);
    const { id } = await world.accept({ tenantId: 't450' });
    expect(await claims.claim(id, CLAIM_OPTIONS)).toMatchObject({ kind: 'not_now' });
    await world.dataSource.query('DELETE FROM execution WHERE id = $1', [id]);
  });

  it('dispatches come to each tenant in turn, and send the oldest of those that they consider', async () => {
    const dispatches = new ExecutionDispatchStore(world.dataSource);
    const send = async (queueTarget: number) =>
      tenantsOf(await dispatches.take({ ...DISPATCH_OPTIONS, tenantSlotShare: 1, queueTarget }));
    expect(await send(3)).toEqual(from(AT_ONCE, 3));
    expect(await send(6)).toEqual(from(2 * AT_ONCE, 3));
    expect(await send(1_000)).toHaveLength(AT_ONCE);
    expect(await send(1_000)).toHaveLength(AT_ONCE);
    expect(await send(1_000)).toHaveLength(TENANTS - 1 - 6 - 2 * AT_ONCE);
    expect(await send(1_000)).toEqual([]);
  });
});
