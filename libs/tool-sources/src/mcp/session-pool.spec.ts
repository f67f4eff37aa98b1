import { describe, expect, it } from '@jest/globals';
import { ManualTime } from '../../../../test/support/fakes/manual-time.js';
import type { Asked, Holder, PooledConnection } from './pooled-connection.js';
import { SessionPool } from './session-pool.js';

class FakeConnection implements PooledConnection {
  isClosed = false;
  isReleased = false;
  private readonly ending = Promise.withResolvers<undefined>();
  readonly closed = this.ending.promise;

  constructor(
    readonly number: number,
    readonly hasState: boolean,
  ) {}

  /** Closes the connection from the server's side. */
  end(): void {
    this.isClosed = true;
    this.ending.resolve(undefined);
  }

  close(): Promise<void> {
    this.isReleased = true;
    this.end();
    return Promise.resolve();
  }
}

const LIMITS = { most: 4, mostPerTenant: 3, idleMs: 1_000, longestMs: 5_000 };
const signal = new AbortController().signal;

function world(limits = LIMITS) {
  const time = new ManualTime();
  const pool = new SessionPool<FakeConnection>(limits, time, () => time.now());
  const made: FakeConnection[] = [];
  const asked = (more: Partial<Asked<FakeConnection>> & { hasState?: boolean } = {}) => ({
    tenantId: 'a',
    key: 'crm',
    runId: 'run-1',
    connect: () => {
      const connection = new FakeConnection(made.length, more.hasState ?? false);
      made.push(connection);
      return Promise.resolve(connection);
    },
    ...more,
  });
  const number = ({ number: each }: FakeConnection) => Promise.resolve(each);
  return { time, pool, made, asked, number };
}

/** Starts work that runs until the test finishes it. */
async function beginWork(
  holder: Holder<FakeConnection>,
): Promise<{ finish: () => void; work: Promise<unknown> }> {
  const { promise: ending, resolve: finish } = Promise.withResolvers<undefined>();
  const { promise: begun, resolve: begin } = Promise.withResolvers<undefined>();
  const work = holder.use(signal, () => {
    begin(undefined);
    return ending;
  });
  await begun;
  return { finish: () => finish(undefined), work };
}

describe('the pool of sessions', () => {
  it('lets runs share what remembers nothing', async () => {
    const { pool, made, asked, number } = world();
    const first = pool.hold(asked());
    const second = pool.hold(asked({ runId: 'run-2' }));
    expect([await first.use(signal, number), await second.use(signal, number)]).toEqual([0, 0]);
    await first.close();
    expect(made.map(({ isReleased }) => isReleased)).toEqual([false]);
  });

  it.each([
    ['of another key', { key: 'crm with other credentials' }],
    ['for a reader without a run', { runId: null }],
  ])('shares nothing %s', async (_name, more) => {
    const { pool, made, asked, number } = world();
    expect(await pool.hold(asked()).use(signal, number)).toBe(0);
    expect(await pool.hold(asked(more)).use(signal, number)).toBe(1);
    expect(made).toHaveLength(2);
  });

  it('gives each run one stateful session over all its scopes, and closes it with the last of them', async () => {
    const { pool, made, asked, number } = world();
    const root = pool.hold(asked({ hasState: true }));
    const scope = pool.hold(asked({ hasState: true }));
    const other = pool.hold(asked({ hasState: true, runId: 'run-2' }));
    const used = [root, scope, other].map((holder) => holder.use(signal, number));
    expect(await Promise.all(used)).toEqual([0, 0, 1]);
    await scope.close();
    expect(made[0]?.isClosed).toBe(false);
    await root.close();
    expect(made.map(({ isReleased }) => isReleased)).toEqual([true, false]);
  });

  it('closes a session at once after a mere listing', async () => {
    const { pool, made, asked, number } = world();
    const look = pool.hold(asked({ runId: null }));
    await look.use(signal, number);
    await look.close();
    expect([pool.size, made[0]?.isReleased]).toEqual([0, true]);
  });

  it('makes one where several of a run ask at the same time, and keeps one where several runs do', async () => {
    const { pool, made, asked, number } = world();
    const holders = [pool.hold(asked()), pool.hold(asked()), pool.hold(asked({ runId: 'run-2' }))];
    expect(await Promise.all(holders.map((holder) => holder.use(signal, number)))).toEqual([0, 0, 0]);
    expect(made.map(({ isReleased }) => isReleased)).toEqual([false, true]);
  });

  it('closes idle sessions, never under work, and connects again on demand', async () => {
    const { pool, time, made, asked, number } = world();
    const holder = pool.hold(asked({ hasState: true }));
    const { finish, work } = await beginWork(holder);
    await time.pass(LIMITS.idleMs * 2);
    expect(made[0]?.isClosed).toBe(false);
    finish();
    await work;
    await time.pass(LIMITS.idleMs - 1);
    expect(made[0]?.isClosed).toBe(false);
    await time.pass(1);
    expect(made[0]?.isClosed).toBe(true);
    expect(await holder.use(signal, number)).toBe(1);
  });

  it('gives no run an old shared session, and closes it after its last work', async () => {
    const { pool, time, made, asked, number } = world({ ...LIMITS, idleMs: 60_000 });
    const holder = pool.hold(asked());
    const { finish, work } = await beginWork(holder);
    await time.pass(LIMITS.longestMs + 1);
    expect(await holder.use(signal, number)).toBe(1);
    expect(made[0]?.isClosed).toBe(false);
    finish();
    await work;
    expect(made[0]?.isClosed).toBe(true);
  });

  it.each([false, true])(
    'connects again where the other side has closed or it was dropped: %p',
    async (hasState) => {
      const { pool, made, asked, number } = world();
      const holder = pool.hold(asked({ hasState }));
      await holder.use(signal, number);
      made[0]?.end();
      expect(await holder.use(signal, number)).toBe(1);
      for (const connection of made.slice(1, 2)) holder.drop(connection);
      expect(await holder.use(signal, number)).toBe(2);
      expect(made.map(({ isReleased }) => isReleased)).toEqual([true, true, false]);
      expect(pool.size).toBe(1);
    },
  );

  it.each([false, true])(
    'keeps nothing of one that the other side has closed, under work or not: %p',
    async (isBusy) => {
      const { pool, time, made, asked, number } = world();
      const holder = pool.hold(asked({ hasState: true }));
      const { finish, work } = await beginWork(holder);
      if (!isBusy) {
        finish();
        await work;
      }
      made[0]?.end();
      await time.pass(0);
      expect([pool.size, made[0]?.isReleased]).toEqual([0, true]);
      if (isBusy) {
        finish();
        await work;
      }
      // No idle timer is left either.
      expect([pool.size, time.isIdle]).toEqual([0, true]);
      expect(await holder.use(signal, number)).toBe(1);
    },
  );

  it('takes a connection from no waiting run, for any number of runs', async () => {
    const { pool, made, asked, number } = world({ ...LIMITS, most: 1, mostPerTenant: 1 });
    const holders = [pool.hold(asked()), pool.hold(asked())];
    const open = async (connection: FakeConnection) => Promise.resolve(!connection.isClosed);
    const others: Promise<unknown>[] = [];
    const crowd = (): void => {
      others.push(
        pool
          .hold(asked({ key: `other ${others.length}` }))
          .use(signal, number)
          .catch(() => null),
      );
      if (others.length < 20) queueMicrotask(crowd);
    };
    const first = holders.map((holder) => holder.use(signal, open));
    crowd();
    expect(await Promise.all(first)).toEqual([true, true]);
    await Promise.all(others);
    expect(made.length).toBeLessThanOrEqual(20);
    expect(pool.size).toBe(1);
  });

  it('keeps nothing for a run that was over before its connection was made', async () => {
    const { pool, time, made, asked, number } = world();
    const { promise: connected, resolve } = Promise.withResolvers<FakeConnection>();
    const holder = pool.hold({ ...asked({ hasState: true }), connect: () => connected });
    const used = holder.use(signal, number);
    await holder.close();
    const late = new FakeConnection(7, true);
    resolve(late);
    expect(await used).toBe(7);
    expect([made.length, pool.size, late.isReleased, time.isIdle]).toEqual([0, 0, true, true]);
  });

  it('makes room by what was not used for longest, what may be shared first', async () => {
    const { pool, time, made, asked, number } = world();
    await pool.hold(asked({ key: 'stateful', hasState: true })).use(signal, number);
    await time.pass(1);
    for (const key of ['older', 'younger', 'newest']) {
      await pool.hold(asked({ key })).use(signal, number);
      await time.pass(1);
    }
    expect(made.map(({ isClosed }) => isClosed)).toEqual([false, true, false, false]);
    expect(pool.size).toBe(LIMITS.mostPerTenant);
  });

  it('refuses where all are at work: first the tenant that has too many, then everybody', async () => {
    const { pool, made, asked, number } = world();
    const forever = () => new Promise<never>(() => undefined);
    const start = (tenantId: string, key: string) =>
      void pool.hold(asked({ tenantId, key: tenantId + key })).use(signal, forever);
    for (const key of ['1', '2', '3']) start('a', key);
    const refusal = { name: 'ToolServerFailure', fault: 'overloaded' };
    await expect(pool.hold(asked({ key: 'a4' })).use(signal, number)).rejects.toMatchObject(refusal);
    start('b', '1');
    await expect(pool.hold(asked({ tenantId: 'c' })).use(signal, number)).rejects.toMatchObject(refusal);
    expect(made).toHaveLength(LIMITS.most);
  });

  it('holds nothing where connecting failed, nor after its own end', async () => {
    const { pool, time, made, asked, number } = world();
    const failing = { connect: () => Promise.reject(new Error('nobody there')) };
    await expect(pool.hold(asked(failing)).use(signal, number)).rejects.toThrow('nobody there');
    expect(pool.size).toBe(0);
    const late = pool.hold(asked());
    await late.use(signal, number);
    await pool.hold(asked({ key: 'b', hasState: true })).use(signal, number);
    await pool.close();
    expect(made.every(({ isReleased }) => isReleased)).toBe(true);
    expect([pool.size, time.isIdle]).toEqual([0, true]);
    await expect(late.use(signal, number)).rejects.toMatchObject({ fault: 'overloaded' });
  });
});
