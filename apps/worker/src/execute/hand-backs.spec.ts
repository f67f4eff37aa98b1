import { describe, expect, it } from '@jest/globals';
import { HandBacks } from './hand-backs.js';

const LEASE_MS = 45_000;

/** Waiting takes no time but that of the clock. */
function someHandBacks() {
  const world = { now: 0, pauses: [] as number[], errors: 0 };
  const handBacks = new HandBacks({
    leaseMs: LEASE_MS,
    clock: { monotonic: () => world.now },
    wait: (ms) => {
      world.now += ms;
      world.pauses.push(ms);
      return Promise.resolve();
    },
    onError: () => {
      world.errors += 1;
    },
  });
  return { world, handBacks };
}

const refusal = () => Object.assign(new Error('the database system is shutting down'), { code: '57P03' });

describe('HandBacks', () => {
  it('answers what the database says', async () => {
    const { handBacks, world } = someHandBacks();
    expect(await handBacks.release(() => Promise.resolve('taken'))).toBe('taken');
    expect(world.errors).toBe(0);
  });

  it('tries again in the background what the database refused, with growing pauses, until it is taken', async () => {
    const { handBacks, world } = someHandBacks();
    let tries = 0;
    const release = () => {
      tries += 1;
      return tries < 5 ? Promise.reject(refusal()) : Promise.resolve(true);
    };
    expect(await handBacks.release(release)).toBeUndefined();
    await handBacks.settled();
    expect(tries).toBe(5);
    expect(world.pauses).toEqual([200, 400, 800, 1_600]);
  });

  it('gives up when the lease has passed: then it is found by that', async () => {
    const { handBacks, world } = someHandBacks();
    await handBacks.release(() => Promise.reject(refusal()));
    await handBacks.settled();
    expect(world.now).toBeGreaterThanOrEqual(LEASE_MS);
    expect(world.now).toBeLessThanOrEqual(LEASE_MS + 5_000);
  });

  it('does not hide a mistake of ours', async () => {
    const { handBacks } = someHandBacks();
    await expect(handBacks.release(() => Promise.reject(new TypeError('ours')))).rejects.toThrow('ours');
  });
});
