import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { DispatchOptions } from '#libs/executions';
import { findUnderserved } from '#libs/persistence';
import { aSubmission } from '../../support/builders/submission.js';
import { CLAIM_OPTIONS, DISPATCH_OPTIONS, PersistenceWorld } from './persistence-world.js';

let world: PersistenceWorld;
beforeAll(async () => {
  world = await PersistenceWorld.open();
});
beforeEach(() => clear());
afterAll(() => world.close());

async function clear(): Promise<void> {
  await world.clear();
  await world.dataSource.query('DELETE FROM worker');
}

async function announce(...places: number[]): Promise<void> {
  for (const [index, count] of places.entries())
    await world.dataSource.query('INSERT INTO worker (id, places) VALUES ($1, $2)', [`w${index}`, count]);
}

async function accept(tenantId: string, count: number): Promise<string[]> {
  const submissions = Array.from({ length: count }, () => aSubmission({ tenantId }));
  for (const submission of submissions) await world.acceptances.accept(submission);
  return submissions.map((submission) => submission.executionId);
}

/** Claims the executions one after the other or all at once; returns the kind of each result. */
async function claimAll(ids: readonly string[], isAtOnce = false): Promise<string[]> {
  const claim = async (id: string) => (await world.claims.claim(id, CLAIM_OPTIONS)).kind;
  if (isAtOnce) return Promise.all(ids.map(claim));
  const kinds: string[] = [];
  for (const id of ids) kinds.push(await claim(id));
  return kinds;
}

async function running(): Promise<Record<string, number>> {
  const rows = await world.dataSource.query<{ tenant_id: string; count: number }[]>(
    `SELECT tenant_id, count(*)::int AS count FROM execution WHERE status = 'running' GROUP BY tenant_id`,
  );
  return Object.fromEntries(rows.map((row) => [row.tenant_id, row.count]));
}

const claimed = (kinds: readonly string[]): number => kinds.filter((kind) => kind === 'claimed').length;

describe('the claim', () => {
  it('gives a tenant every slot while no other tenant waits', async () => {
    await announce(4, 4);
    expect(claimed(await claimAll(await accept('big', 8)))).toBe(8);
  });

  it.each([
    ['half of them', 0.5, [4, 4], 4],
    ['the half rounded down', 0.5, [3, 4], 3],
    ['a quarter of them', 0.25, [8], 2],
    ['one at least', 0.1, [3], 1],
  ])('gives it %s while another tenant waits', async (_name, tenantShare, places, most) => {
    await announce(...places);
    const big = await accept('big', 8);
    await accept('small', 1);
    const kinds: string[] = [];
    for (const id of big) kinds.push((await world.claims.claim(id, { ...CLAIM_OPTIONS, tenantShare })).kind);
    expect(claimed(kinds)).toBe(most);
    expect(kinds.slice(most)).toEqual(Array.from({ length: 8 - most }, () => 'not_now'));
  });

  it('gives it no more when it asks for all at once', async () => {
    await announce(8);
    const big = await accept('big', 30);
    await accept('small', 1);
    await claimAll(big, true);
    expect(await running()).toEqual({ big: 4 });
  });

  it.each([
    ['waits in the queue', true],
    ['was not sent yet', false],
  ])('sees that another tenant’s execution %s', async (_name, isSent) => {
    await announce(2);
    const [first = '', second = ''] = await accept('big', 2);
    await world.claims.claim(first, CLAIM_OPTIONS);
    const [small] = await accept('small', 1);
    if (isSent)
      await world.dataSource.query('UPDATE execution SET dispatched_at = now() WHERE id = $1', [small]);
    expect(await claimAll([second])).toEqual(['not_now']);
  });

  it.each([
    ['is not due', `UPDATE execution SET due_at = now() + interval '1 hour' WHERE tenant_id = 'small'`],
    ['waits behind its own conversation', `UPDATE execution SET head_since = NULL WHERE tenant_id = 'small'`],
    ['waits for a person', `UPDATE execution SET status = 'requires_action' WHERE tenant_id = 'small'`],
  ])('leaves no place idle for an execution that %s', async (_name, sql) => {
    await announce(4);
    await accept('small', 1);
    await world.dataSource.query(sql);
    expect(claimed(await claimAll(await accept('big', 4)))).toBe(4);
  });

  it('leaves no place idle when everybody who waits has as much', async () => {
    await announce(6);
    const [one, two] = [await accept('one', 6), await accept('two', 6)];
    const kinds = [];
    for (const [index, id] of one.entries()) kinds.push(...(await claimAll([id, two[index] ?? ''])));
    expect(await running()).toEqual({ one: 6, two: 6 });
    expect(claimed(kinds)).toBe(12);
  });

  it('refuses without a trace but a moment’s delay, and not what is only to be ended', async () => {
    await announce(2);
    const [first = '', second = '', third = ''] = await accept('big', 3);
    await accept('small', 1);
    await world.claims.claim(first, CLAIM_OPTIONS);
    expect(await claimAll([second])).toEqual(['not_now']);
    const [row] = await world.dataSource.query<object[]>(
      `SELECT status, attempt, epoch, lost_attempts, isolated_deaths, claim_token, dispatched_at, deadline_at,
              due_at BETWEEN now() AND now() + interval '1 second' AS is_soon FROM execution WHERE id = $1`,
      [second],
    );
    expect(row).toEqual({
      status: 'queued',
      attempt: 0,
      epoch: 0,
      lost_attempts: 0,
      isolated_deaths: 0,
      claim_token: null,
      dispatched_at: null,
      deadline_at: null,
      is_soon: true,
    });
    await world.dataSource.query('UPDATE execution SET cancel_requested_at = now() WHERE id = $1', [third]);
    expect(await claimAll([third])).toEqual(['claimed']);
  });

  it('holds for any number of tenants, places and claims in any order', async () => {
    const tenants = ['a', 'b', 'c'];
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 8 }),
        fc.array(fc.constantFrom(...tenants), { minLength: 1, maxLength: 24 }),
        async (places, asking) => {
          await clear();
          await announce(places);
          const waiting = new Map<string, string[]>();
          for (const tenant of tenants)
            waiting.set(tenant, await accept(tenant, asking.filter((other) => other === tenant).length));
          const held: Record<string, number> = {};
          const most = Math.max(1, Math.floor(places / 2));
          for (const tenant of asking) {
            const line = waiting.get(tenant) ?? [];
            const [kind] = await claimAll(line.splice(0, 1));
            const isOtherDeprived = tenants.some(
              (other) =>
                other !== tenant && (waiting.get(other)?.length ?? 0) > 0 && (held[other] ?? 0) < most,
            );
            const mayRun = !isOtherDeprived || (held[tenant] ?? 0) < most;
            expect(kind).toBe(mayRun ? 'claimed' : 'not_now');
            if (mayRun) held[tenant] = (held[tenant] ?? 0) + 1;
          }
          expect(await running()).toEqual(held);
        },
      ),
      { numRuns: 25 },
    );
  });
});

describe('dispatching', () => {
  const options = { ...DISPATCH_OPTIONS, queueTarget: 10, tenantQueueShare: 0.5 };
  const sentOf = async (ids: readonly string[], sent: readonly { executionId: string }[]) =>
    Promise.resolve(sent.filter(({ executionId }) => ids.includes(executionId)).length);

  it('fills no more of the queue with the jobs of one tenant than its share', async () => {
    await accept('big', 20);
    expect(await world.dispatches.take(options)).toHaveLength(5);
    expect(await world.dispatches.take(options)).toHaveLength(0);
    const small = await accept('small', 1);
    expect(await sentOf(small, await world.dispatches.take(options))).toBe(1);
  });

  it('sends nothing that the claim would refuse', async () => {
    await announce(4);
    const big = await accept('big', 20);
    await claimAll(big.slice(0, 3));
    const small = await accept('small', 9);
    const sent = await world.dispatches.take(options);
    expect(await sentOf(big, sent)).toBe(0);
    expect(await sentOf(small, sent)).toBe(5);
    // `small` now has its half of the slots, so no waiting tenant is underserved and the queue is open to `big` again.
    await claimAll(small.slice(0, 2));
    expect(await sentOf(big, await world.dispatches.take(options))).toBeGreaterThan(0);
  });
});

describe('refilling the queue', () => {
  /** Sends what the limits allow; returns the tenants of what was sent, in order. */
  async function send(limits: Partial<DispatchOptions>): Promise<string[]> {
    const sent = await world.dispatches.take({ ...DISPATCH_OPTIONS, tenantSlotShare: 1, ...limits });
    const rows = await world.dataSource.query<{ id: string; tenant_id: string }[]>(
      'SELECT id, tenant_id FROM execution WHERE id = ANY($1)',
      [sent.map(({ executionId }) => executionId)],
    );
    return sent.map(({ executionId }) => rows.find(({ id }) => id === executionId)?.tenant_id ?? '');
  }

  it('waits until an eighth of the share of a tenant is free', async () => {
    const limits = { queueTarget: 100, tenantQueueShare: 0.16 };
    const big = await accept('big', 20);
    expect(await send(limits)).toHaveLength(16);
    await claimAll(big.slice(0, 1));
    expect(await send(limits)).toEqual([]);
    await claimAll(big.slice(1, 2));
    expect(await send(limits)).toEqual(['big', 'big']);
  });

  it('waits until an eighth of the queue is free, but not for a tenant with nothing in it', async () => {
    const limits = { queueTarget: 16, tenantQueueShare: 1 };
    const big = await accept('big', 20);
    expect(await send(limits)).toHaveLength(16);
    await accept('small', 3);
    await claimAll(big.slice(0, 1));
    expect(await send(limits)).toEqual(['small']);
    await claimAll(big.slice(1, 2));
    expect(await send(limits)).toEqual([]);
    await claimAll(big.slice(2, 3));
    expect((await send(limits)).toSorted()).toEqual(['big', 'small']);
  });

  it('does not wait for what is lost', async () => {
    const limits = { queueTarget: 16, tenantQueueShare: 1 };
    const big = await accept('big', 20);
    await send(limits);
    const [first = ''] = big;
    await claimAll([first]);
    await world.expireLease(first);
    expect(await world.dispatches.take({ ...DISPATCH_OPTIONS, ...limits })).toEqual([{ executionId: first }]);
  });
});

describe('underserved tenants', () => {
  const find = async (limit = 10, tenantLimit = 10, after = '') =>
    (await findUnderserved(world.dataSource, { tenantShare: 0.5, limit, tenantLimit, after })).executions;

  it('are found although others have sent everything, and who holds least comes first', async () => {
    await announce(4);
    const [big, small, none] = [await accept('big', 4), await accept('small', 2), await accept('none', 1)];
    await claimAll(big.slice(0, 2));
    await claimAll(small.slice(0, 1));
    await world.dispatches.take({ ...DISPATCH_OPTIONS, tenantSlotShare: 1 });
    const found = await find();
    expect(found.map(({ executionId }) => executionId)).toEqual([none[0], small[1]]);
  });

  it('are as many as requested, and none while the number of slots is unknown', async () => {
    await accept('small', 5);
    await accept('other', 5);
    expect(await find()).toEqual([]);
    await announce(4);
    expect(await find(3)).toHaveLength(3);
    expect((await find(10, 1)).map(({ tenantId }) => tenantId).sort()).toEqual(['other', 'small']);
  });
});
