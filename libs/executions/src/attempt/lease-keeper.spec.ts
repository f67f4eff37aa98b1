import { describe, expect, it } from '@jest/globals';
import { ManualTime } from '../../../../test/support/fakes/manual-time.js';
import type { Claim } from '../ports/claim-store.js';
import { LeaseKeeper, type Heartbeat } from './lease-keeper.js';

const LEASE_MS = 45_000;

const aClaim = (name: string): Claim => ({ executionId: name, token: `token of ${name}` }) as Claim;

/** A lease keeper over a store that grants leases while it is available. */
function aKeeper() {
  const time = new ManualTime();
  const errors: unknown[] = [];
  const store = { isAway: false, taken: new Set<string>(), cancelled: [] as string[], renewals: 0 };
  const assertThere = (): void => {
    if (store.isAway) throw new Error('the store is away');
  };
  const heartbeat: Heartbeat = {
    renew: async (claims) => {
      await Promise.resolve();
      assertThere();
      store.renewals += 1;
      return new Set(claims.map(({ token }) => token).filter((token) => !store.taken.has(token)));
    },
    findCancelled: async (ids) => {
      await Promise.resolve();
      assertThere();
      return store.cancelled.filter((id) => ids.includes(id));
    },
  };
  const keeper = new LeaseKeeper(heartbeat, LEASE_MS, time, time, (error) => errors.push(error));
  const hold = (name: string) => {
    const [claim, abort] = [aClaim(name), new AbortController()];
    return { claim, abort, release: keeper.hold(claim, abort) };
  };
  return { time, store, errors, keeper, hold };
}

describe('LeaseKeeper', () => {
  it('renews what is held several times within a lease, and nothing when nothing is held', async () => {
    const { time, store, keeper, hold } = aKeeper();
    const { claim, abort, release } = hold('a');
    await time.pass(4 * LEASE_MS);
    expect(store.renewals).toBeGreaterThanOrEqual(16);
    expect([keeper.holds(claim), abort.signal.aborted]).toEqual([true, false]);
    release();
    expect([time.isIdle, keeper.holds(claim)]).toEqual([true, false]);
  });

  it('stops only executions that another worker has claimed', async () => {
    const { time, store, keeper, hold } = aKeeper();
    const [taken, kept] = [hold('a'), hold('b')];
    store.taken.add(taken.claim.token);
    await time.pass(LEASE_MS / 4);
    expect(taken.abort.signal.reason).toBe('lease_lost');
    expect([keeper.holds(taken.claim), keeper.holds(kept.claim)]).toEqual([false, true]);
    expect(kept.abort.signal.aborted).toBe(false);
  });

  it('stops everything before another worker may claim it, when renewal failed for too long', async () => {
    const { time, store, errors, keeper, hold } = aKeeper();
    const { claim, abort } = hold('a');
    store.isAway = true;
    await time.pass(LEASE_MS / 2);
    expect([keeper.holds(claim), abort.signal.aborted]).toEqual([true, false]);
    await time.pass(LEASE_MS / 2);
    expect([keeper.holds(claim), abort.signal.reason]).toEqual([false, 'lease_lost']);
    expect(errors.length).toBeGreaterThan(0);
  });

  it('does not wait for its next turn to see that a lease is stale', () => {
    const { time, keeper, hold } = aKeeper();
    const { claim } = hold('a');
    // Simulates a frozen process: time has passed but no timer has run.
    time.monotonic = () => LEASE_MS;
    expect(keeper.holds(claim)).toBe(false);
  });

  it('holds no lease whose claim was answered after it may have ended', () => {
    const { time, keeper } = aKeeper();
    const [late, inTime] = [new AbortController(), new AbortController()];
    time.monotonic = () => LEASE_MS;
    keeper.hold(aClaim('late'), late, 0);
    keeper.hold(aClaim('in time'), inTime, LEASE_MS - 1);
    expect([late.signal.reason, inTime.signal.aborted]).toEqual(['lease_lost', false]);
    expect([keeper.holds(aClaim('late')), keeper.holds(aClaim('in time'))]).toEqual([false, true]);
  });

  it('goes on when the store is back in time', async () => {
    const { time, store, keeper, hold } = aKeeper();
    const { claim } = hold('a');
    store.isAway = true;
    await time.pass(LEASE_MS / 2);
    store.isAway = false;
    await keeper.renew();
    await time.pass(LEASE_MS / 2);
    expect(keeper.holds(claim)).toBe(true);
  });

  it('stops cancelled executions within a moment', async () => {
    const { time, store, hold } = aKeeper();
    const [cancelled, other] = [hold('a'), hold('b')];
    store.cancelled.push('a');
    await time.pass(500);
    expect([cancelled.abort.signal.reason, other.abort.signal.aborted]).toEqual(['cancelled', false]);
  });

  it('gives up everything when its process may not write any more', () => {
    const { keeper, hold } = aKeeper();
    const held = [hold('a'), hold('b')];
    keeper.fenceAll();
    expect(held.map(({ abort }) => abort.signal.reason as unknown)).toEqual(['lease_lost', 'lease_lost']);
  });

  it('waits for executions that it cuts off until the last one has released its claim', async () => {
    const { time, keeper, hold } = aKeeper();
    const [first, last] = [hold('a'), hold('b')];
    let isOver = false;
    const cuttingOff = keeper.cutOff(3_000).then(() => (isOver = true));
    expect(first.abort.signal.reason).toBe('lease_lost');
    first.release();
    await time.pass(2_999);
    expect(isOver).toBe(false);
    last.release();
    await cuttingOff;
    expect(time.isIdle).toBe(true);
    const late = hold('c');
    expect([late.abort.signal.reason, keeper.holds(late.claim)]).toEqual(['lease_lost', false]);
  });

  it('waits no longer than it may for an execution that does not stop', async () => {
    const { time, keeper, hold } = aKeeper();
    hold('a');
    const cuttingOff = keeper.cutOff(3_000);
    await time.pass(3_000);
    await cuttingOff;
  });
});
