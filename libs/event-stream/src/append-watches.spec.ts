import { describe, expect, it } from '@jest/globals';
import { AppendWatches } from './append-watches.js';

const TOO_LONG_MS = 60_000;
const never = new AbortController().signal;

/** Whether the wait is over by now, without waiting for it. */
async function isOver(wait: Promise<void>): Promise<boolean> {
  let over = false;
  void wait.then(() => (over = true));
  await new Promise((resolve) => {
    setImmediate(resolve);
  });
  return over;
}

describe('AppendWatches', () => {
  it('wakes everybody who waits for that execution, and nobody else', async () => {
    const watches = new AppendWatches();
    const [first, second, other] = [watches.open('a'), watches.open('a'), watches.open('b')];
    const waits = [first, second, other].map((watch) => watch.wait(0, TOO_LONG_MS, never));
    watches.wake('a');
    expect(await Promise.all(waits.map(isOver))).toEqual([true, true, false]);
    other.close();
  });

  it('remembers one wake-up that came while nobody waited', async () => {
    const watches = new AppendWatches();
    const watch = watches.open('a');
    watches.wake('a');
    watches.wake('a');
    expect(await isOver(watch.wait(0, TOO_LONG_MS, never))).toBe(true);
    expect(await isOver(watch.wait(0, TOO_LONG_MS, never))).toBe(false);
    watch.close();
  });

  it('wakes all when news may have been missed', async () => {
    const watches = new AppendWatches();
    const waits = ['a', 'b'].map((executionId) => watches.open(executionId).wait(0, TOO_LONG_MS, never));
    watches.wakeAll();
    expect(await Promise.all(waits.map(isOver))).toEqual([true, true]);
  });

  it('ends a wait when its signal aborts, when its time is over and when the watch is closed', async () => {
    const watch = new AppendWatches().open('a');
    const abort = new AbortController();
    const [aborted, closed] = [watch.wait(0, TOO_LONG_MS, abort.signal), watch.wait(0, TOO_LONG_MS, never)];
    abort.abort();
    expect(await isOver(aborted)).toBe(true);
    expect(await isOver(watch.wait(0, TOO_LONG_MS, abort.signal))).toBe(true);
    await watch.wait(0, 1, never);
    expect(await isOver(closed)).toBe(false);
    watch.close();
    expect(await isOver(closed)).toBe(true);
  });

  it('does not take an abort for an append', async () => {
    const watches = new AppendWatches();
    const watch = watches.open('a');
    await watch.wait(0, TOO_LONG_MS, AbortSignal.abort());
    expect(await isOver(watch.wait(0, TOO_LONG_MS, never))).toBe(false);
    watch.close();
  });

  it('forgets a watch that was closed, also when others stay', async () => {
    const watches = new AppendWatches();
    const [first, second] = [watches.open('a'), watches.open('a')];
    first.close();
    const wait = second.wait(0, TOO_LONG_MS, never);
    watches.wake('a');
    expect(await isOver(wait)).toBe(true);
    second.close();
    const later = watches.open('a');
    second.close();
    watches.wake('a');
    expect(await isOver(later.wait(0, TOO_LONG_MS, never))).toBe(true);
  });

  it('knows of each execution the lowest of the last events that those have read who wait', async () => {
    const watches = new AppendWatches();
    const [first, second, idle] = [watches.open('a'), watches.open('a'), watches.open('b')];
    expect(watches.lastRead()).toEqual(new Map());
    const waits = [first.wait(7, TOO_LONG_MS, never), second.wait(3, TOO_LONG_MS, never)];
    expect(watches.lastRead()).toEqual(new Map([['a', 3]]));
    second.wake();
    await waits[1];
    expect(watches.lastRead()).toEqual(new Map([['a', 7]]));
    first.close();
    idle.close();
    expect(watches.lastRead()).toEqual(new Map());
  });
});
