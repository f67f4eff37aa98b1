import { describe, expect, it } from '@jest/globals';
import { ManualTime } from '../../../test/support/fakes/manual-time.js';
import { Linger } from './linger.js';

/** A linger after `items` arrivals, `gapMs` milliseconds apart; `begins` are the times at which its batches began. */
async function lingerAfter(items: number, gapMs: number) {
  const time = new ManualTime();
  const linger = new Linger(5, time, time);
  for (let item = 0; item < items; item += 1) {
    if (item > 0) await time.pass(gapMs);
    linger.arrive();
  }
  const begins: number[] = [];
  const askedAt = time.monotonic();
  linger.begin(
    () => begins.push(time.monotonic() - askedAt),
    (batch) => batch(),
  );
  await time.pass(1_000);
  return begins;
}

describe('Linger', () => {
  it.each([
    ['one item alone', 1, 0, [0]],
    ['fewer items at once than it averages', 15, 0, [0]],
    ['many items at once', 16, 0, [5]],
    ['a hundred items a second', 40, 10, [5]],
    ['fewer items a second', 40, 11, [0]],
  ])('after %s', async (_case, items, gapMs, begins) => {
    expect(await lingerAfter(items, gapMs)).toEqual(begins);
  });

  it('ends with the flood', async () => {
    const time = new ManualTime();
    const linger = new Linger(5, time, time);
    for (let item = 0; item < 100; item += 1) linger.arrive();
    await time.pass(161);
    let hasBegun = false;
    linger.begin(
      () => (hasBegun = true),
      (batch) => batch(),
    );
    expect([hasBegun, time.isIdle]).toEqual([true, true]);
  });
});
