import { describe, expect, it } from '@jest/globals';
import { LeaseGrace } from './lease-grace.js';

const MAX_MS = 45_000;

/** Waiting only advances the clock. */
function someGrace() {
  const world = { now: 1_000, isHeld: true, drain: new AbortController() };
  const wait = (ms: number) => {
    world.now += ms;
    return Promise.resolve();
  };
  const options = {
    longestMs: MAX_MS,
    clock: { monotonic: () => world.now },
    wait,
    random: () => 0.5,
  };
  const leases = { holds: () => world.isHeld };
  const grace = new LeaseGrace(leases, { token: 'a' }, world.drain.signal, options);
  /** Returns for how many milliseconds a permanently failing operation was retried. */
  const triedFor = async (): Promise<number> => {
    const since = world.now;
    for (let tries = 1; await grace.again(tries); tries += 1) {
      if (tries > 1_000) throw new Error('is tried for ever');
    }
    return world.now - since;
  };
  return { world, grace, triedFor };
}

describe('LeaseGrace', () => {
  it('ends for what always fails, although its lease is renewed', async () => {
    const { triedFor } = someGrace();
    const tried = await triedFor();
    expect(tried).toBeGreaterThanOrEqual(MAX_MS);
    expect(tried).toBeLessThan(MAX_MS + 1_000);
  });

  it('begins anew with the next thing that fails', async () => {
    const { triedFor } = someGrace();
    await triedFor();
    expect(await triedFor()).toBeGreaterThanOrEqual(MAX_MS);
  });

  it('ends when the worker is to end', async () => {
    const { world, grace } = someGrace();
    expect(await grace.again(1)).toBe(true);
    world.drain.abort();
    expect(await grace.again(2)).toBe(false);
  });

  it('ends with the lease', async () => {
    const { world, grace } = someGrace();
    expect(await grace.again(1)).toBe(true);
    world.isHeld = false;
    expect(await grace.again(2)).toBe(false);
  });
});
