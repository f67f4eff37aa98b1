import { expect, it } from '@jest/globals';
import { BacklogGauge } from './backlog-gauge.js';

function aGauge() {
  const world = { now: 0, measurements: 0, queued: 5 };
  const measure = () => {
    world.measurements += 1;
    return Promise.resolve(
      new Map([
        ['mine', { queued: world.queued, waitMs: 70 }],
        ['other', { queued: 100, waitMs: 9_000 }],
      ]),
    );
  };
  return { world, gauge: new BacklogGauge(measure, { monotonic: () => world.now }) };
}

it('knows everybody’s work, and the wait of the one who asks', async () => {
  const { gauge } = aGauge();
  expect(await gauge.read('mine')).toEqual({ queued: 105, tenantQueued: 5, tenantWaitMs: 70 });
  expect(await gauge.read('absent')).toEqual({ queued: 105, tenantQueued: 0, tenantWaitMs: 0 });
});

it('measures once a second, however many ask at once', async () => {
  const { gauge, world } = aGauge();
  await Promise.all([gauge.read('mine'), gauge.read('other'), gauge.read('mine')]);
  world.now = 999;
  await gauge.read('mine');
  expect(world.measurements).toBe(1);
  world.now = 1_000;
  await gauge.read('mine');
  expect(world.measurements).toBe(2);
});

it('tries again after a measurement that failed', async () => {
  let isDown = true;
  const gauge = new BacklogGauge(
    () => (isDown ? Promise.reject(new Error('down')) : Promise.resolve(new Map())),
    { monotonic: () => 0 },
  );
  await expect(gauge.read('mine')).rejects.toThrow('down');
  isDown = false;
  expect(await gauge.read('mine')).toMatchObject({ queued: 0 });
});
