import { expect, it } from '@jest/globals';
import { SharedWork, untilAborted } from './shared-work.js';

it('is done once for all who ask while it is under way, and again for who comes later', async () => {
  const work = new SharedWork<number>();
  let count = 0;
  const count1 = () => Promise.resolve((count += 1));
  expect(await Promise.all([work.run('a', count1), work.run('a', count1), work.run('b', count1)])).toEqual([
    1, 1, 2,
  ]);
  expect(await work.run('a', count1)).toBe(3);
});

it('fails for all who wait, and is tried again by who comes later', async () => {
  const work = new SharedWork<number>();
  const fail = () => Promise.reject(new Error('in vain'));
  const both = await Promise.allSettled([work.run('a', fail), work.run('a', () => Promise.resolve(1))]);
  expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(await work.run('a', () => Promise.resolve(1))).toBe(1);
});

it('goes on for the others when one stops waiting', async () => {
  const stop = new AbortController();
  let end: (value: number) => void = () => undefined;
  const work = new Promise<number>((resolve) => (end = resolve));
  const given = untilAborted(work, stop.signal);
  const other = untilAborted(work, new AbortController().signal);
  stop.abort(new Error('given up'));
  await expect(given).rejects.toThrow('given up');
  end(7);
  expect(await other).toBe(7);
  await expect(untilAborted(work, stop.signal)).rejects.toThrow('given up');
});
