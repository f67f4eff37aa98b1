import { describe, expect, it } from '@jest/globals';
import { BackgroundReleases } from './background-releases.js';

const LEASE_MS = 45_000;

class DatabaseAway extends Error {}

/** Waiting only advances the clock. */
function someBackgroundReleases() {
  const world = { now: 0, pauses: [] as number[], errors: 0 };
  const backgroundReleases = new BackgroundReleases({
    leaseMs: LEASE_MS,
    clock: { monotonic: () => world.now },
    wait: (ms) => {
      world.now += ms;
      world.pauses.push(ms);
      return Promise.resolve();
    },
    classifyStorageError: (error) =>
      error instanceof DatabaseAway ? { kind: 'outage', mayHaveCommitted: true } : { kind: 'ours' },
    onError: () => {
      world.errors += 1;
    },
  });
  return { world, backgroundReleases };
}

const refusal = () => new DatabaseAway('the database system is shutting down');

describe('BackgroundReleases', () => {
  it('answers what the database says', async () => {
    const { backgroundReleases, world } = someBackgroundReleases();
    expect(await backgroundReleases.release(() => Promise.resolve('taken'))).toBe('taken');
    expect(world.errors).toBe(0);
  });

  it('tries again in the background what the database refused, with growing pauses, until it is taken', async () => {
    const { backgroundReleases, world } = someBackgroundReleases();
    let tries = 0;
    const release = () => {
      tries += 1;
      return tries < 5 ? Promise.reject(refusal()) : Promise.resolve(true);
    };
    expect(await backgroundReleases.release(release)).toBeUndefined();
    await backgroundReleases.settled();
    expect(tries).toBe(5);
    expect(world.pauses).toEqual([200, 400, 800, 1_600]);
  });

  it('gives up when the lease has passed: then it is found by that', async () => {
    const { backgroundReleases, world } = someBackgroundReleases();
    await backgroundReleases.release(() => Promise.reject(refusal()));
    await backgroundReleases.settled();
    expect(world.now).toBeGreaterThanOrEqual(LEASE_MS);
    expect(world.now).toBeLessThanOrEqual(LEASE_MS + 5_000);
  });

  it('does not hide a mistake of ours', async () => {
    const { backgroundReleases } = someBackgroundReleases();
    await expect(backgroundReleases.release(() => Promise.reject(new TypeError('ours')))).rejects.toThrow(
      'ours',
    );
  });
});
