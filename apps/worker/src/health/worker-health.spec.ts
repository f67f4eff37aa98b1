import { describe, expect, it } from '@jest/globals';
import { ConnectionWatch, SendWatch } from './worker-health.js';

const GRACE_MS = 1_000;

function aWatch() {
  const world = { now: 0, isSilent: false, isServerAway: false };
  const ask = (isBad: () => boolean) => () =>
    isBad() ? Promise.reject(new Error('no answer')) : Promise.resolve();
  const watch = new ConnectionWatch(
    {
      name: 'a server',
      check: ask(() => world.isSilent || world.isServerAway),
      checkAfresh: ask(() => world.isServerAway),
    },
    GRACE_MS,
    { monotonic: () => world.now },
  );
  const lookAt = async (now: number): Promise<boolean> => {
    world.now = now;
    await watch.look();
    return watch.isStuck;
  };
  return { world, lookAt };
}

describe('a connection', () => {
  it('is healthy while it answers', async () => {
    const { lookAt } = aWatch();
    expect([await lookAt(0), await lookAt(5_000)]).toEqual([false, false]);
  });

  it('needs a restart after a long silence, also when a new one answers', async () => {
    const { world, lookAt } = aWatch();
    world.isSilent = true;
    expect([await lookAt(0), await lookAt(999), await lookAt(1_000)]).toEqual([false, false, true]);
  });

  it('is healthy again after it answers again', async () => {
    const { world, lookAt } = aWatch();
    world.isSilent = true;
    await lookAt(0);
    await lookAt(1_000);
    world.isSilent = false;
    expect(await lookAt(1_001)).toBe(false);
    world.isSilent = true;
    expect([await lookAt(1_002), await lookAt(2_001), await lookAt(2_002)]).toEqual([false, false, true]);
  });

  it('to a server that is away is no reason for a restart, until the server is back', async () => {
    const { world, lookAt } = aWatch();
    world.isServerAway = true;
    expect([await lookAt(0), await lookAt(60_000)]).toEqual([false, false]);
    world.isServerAway = false;
    world.isSilent = true;
    expect(await lookAt(60_001)).toBe(true);
  });
});

const failing = (): Promise<void> => Promise.reject(new Error('no queue'));

it('sends fail from the first failure to the next success, or until nothing had to be sent for a while', async () => {
  let now = 0;
  const watch = new SendWatch({ monotonic: () => now });
  await expect(watch.check()).resolves.toBeUndefined();

  await expect(watch.over(failing())).rejects.toThrow('no queue');
  await expect(watch.check()).rejects.toThrow('cannot be sent');
  now = 14_999;
  await expect(watch.check()).rejects.toThrow('cannot be sent');
  now = 15_000;
  await expect(watch.check()).resolves.toBeUndefined();

  await expect(watch.over(failing())).rejects.toThrow('no queue');
  await watch.over(Promise.resolve());
  await expect(watch.check()).resolves.toBeUndefined();
});
