import { describe, expect, it } from '@jest/globals';
import { ProgressWatch } from './progress-watch.js';

const GRACE_MS = 1_000;

function aWatch() {
  const world = { now: 0, isWaiting: true, isDown: false };
  const watch = new ProgressWatch(
    () => (world.isDown ? Promise.reject(new Error('down')) : Promise.resolve(world.isWaiting)),
    2,
    GRACE_MS,
    { monotonic: () => world.now },
  );
  const checkAt = async (now: number): Promise<boolean> => {
    world.now = now;
    await watch.check();
    return watch.isStuck;
  };
  return { world, watch, checkAt };
}

describe('ProgressWatch', () => {
  it('finds a worker stuck that takes no waiting work for longer than the grace period', async () => {
    const { checkAt } = aWatch();
    expect(await checkAt(0)).toBe(false);
    expect(await checkAt(1_000)).toBe(false);
    expect(await checkAt(1_001)).toBe(true);
  });

  it('forgives as soon as a job is taken', async () => {
    const { watch, checkAt } = aWatch();
    await checkAt(0);
    expect(await checkAt(2_000)).toBe(true);
    watch.begin();
    expect(await checkAt(2_100)).toBe(false);
    expect(await checkAt(2_200)).toBe(false);
    expect(await checkAt(3_201)).toBe(true);
  });

  it('does not report a worker without waiting work', async () => {
    const { world, checkAt } = aWatch();
    await checkAt(0);
    world.isWaiting = false;
    expect(await checkAt(2_000)).toBe(false);
    world.isWaiting = true;
    expect(await checkAt(2_500)).toBe(false);
  });

  it('does not report a worker with all slots in use', async () => {
    const { watch, checkAt } = aWatch();
    const ends = [watch.begin(), watch.begin()];
    await checkAt(0);
    expect(await checkAt(5_000)).toBe(false);
    for (const end of ends) end();
    await checkAt(5_000);
    expect(await checkAt(6_001)).toBe(true);
  });

  it('draws no conclusion from a database that does not answer', async () => {
    const { world, checkAt } = aWatch();
    await checkAt(0);
    world.isDown = true;
    expect(await checkAt(2_000)).toBe(false);
  });
});
