import { describe, expect, it } from '@jest/globals';
import { PacedWork } from './paced-work.js';

/** Work whose pauses and ends come when the test says so. */
function openWork() {
  const begins: (() => void)[] = [];
  const ends: PromiseWithResolvers<unknown>[] = [];
  const work = new PacedWork(
    () => {
      const end = Promise.withResolvers<unknown>();
      ends.push(end);
      return end.promise;
    },
    (begin) => {
      const one = () => begin();
      begins.push(one);
      return () => void begins.splice(begins.indexOf(one), 1);
    },
  );
  const begin = () => begins.shift()?.();
  /** Lets the work end, and all that follows from it. */
  const end = async (ended: 'well' | 'badly'): Promise<void> => {
    const last = ends.at(-1);
    if (ended === 'well') last?.resolve(null);
    else last?.reject(new Error('away'));
    await last?.promise.catch(() => undefined);
    await Promise.resolve();
  };
  return { work, begin, end, waiting: () => begins.length, done: () => ends.length };
}

describe('paced work', () => {
  it('is done once for all that ask before it begins', () => {
    const { work, begin, waiting, done } = openWork();
    work.ask();
    work.ask();
    expect([waiting(), done()]).toEqual([1, 0]);
    begin();
    expect([waiting(), done()]).toEqual([0, 1]);
  });

  it.each(['well', 'badly'] as const)(
    'waits until the last one has ended, %s, and is done once more',
    async (ended) => {
      const { work, begin, end, waiting, done } = openWork();
      work.ask();
      begin();
      work.ask();
      work.ask();
      expect(waiting()).toBe(0);
      await end(ended);
      expect([waiting(), done()]).toEqual([1, 1]);
      begin();
      await end('well');
      expect([waiting(), done()]).toEqual([0, 2]);
    },
  );

  it('is forgotten with what is asked for', async () => {
    const { work, begin, end, waiting, done } = openWork();
    work.ask();
    work.forget();
    expect(waiting()).toBe(0);
    work.ask();
    begin();
    work.ask();
    work.forget();
    await end('well');
    expect([waiting(), done()]).toEqual([0, 1]);
  });
});
