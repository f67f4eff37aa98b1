import { describe, expect, it } from '@jest/globals';
import type { NumberedEvent } from '#libs/payloads';
import { AppendWatches } from './append-watches.js';

const TOO_LONG_MS = 60_000;
const never = new AbortController().signal;

/** Whether the wait is over by now, without waiting for it. */
async function isOver(wait: Promise<unknown>): Promise<boolean> {
  let over = false;
  void wait.then(() => (over = true));
  await new Promise((resolve) => {
    setImmediate(resolve);
  });
  return over;
}

const event = (id: number): NumberedEvent => ({
  ...{ id, event: 'text_delta' },
  data: { content: `${id}`, round: 1 },
});

describe('AppendWatches', () => {
  it.each<[string, (number[] | null)[], number, number[] | null]>([
    ['what was appended', [[3, 4]], 2, [3, 4]],
    ['what was appended one after the other', [[3], [4, 5]], 2, [3, 4, 5]],
    ['only what was not read yet', [[3], [4, 5]], 4, [5]],
    ['nothing where something is missing before it', [[4]], 2, null],
    ['nothing where something is missing in between', [[3], [5]], 2, null],
    ['nothing where an append is not known', [[3], null], 2, null],
    ['nothing where all of it was read', [[3]], 3, null],
    ['nothing that came in another order', [[4], [3]], 2, null],
    ['nothing where it is too much to be kept', Array.from({ length: 40 }, (_, at) => [at + 1]), 0, null],
  ])('notifies who waits later %s', async (_name, appended, afterId, heard) => {
    const watches = new AppendWatches();
    const watch = watches.open('a');
    for (const ids of appended) watches.wake('a', ids?.map(event) ?? null);
    expect(await watch.wait(afterId, TOO_LONG_MS, never)).toEqual(heard?.map(event) ?? null);
    watches.wake('a', [event(afterId + 1)]);
    expect(await watch.wait(afterId, TOO_LONG_MS, never)).toEqual([event(afterId + 1)]);
  });

  it('notifies everybody who waits what follows for each', async () => {
    const watch = new AppendWatches();
    const [upTo4, upTo3, other] = [watch.open('a'), watch.open('a'), watch.open('b')];
    const waits = [upTo4.wait(4, TOO_LONG_MS, never), upTo3.wait(3, TOO_LONG_MS, never)];
    const unheard = other.wait(4, 1, never);
    watch.wake('a', [event(5)]);
    expect(await Promise.all(waits)).toEqual([[event(5)], null]);
    expect(await unheard).toBeNull();
  });

  it('wakes all followers of that execution, and no others', async () => {
    const watches = new AppendWatches();
    const [first, second, other] = [watches.open('a'), watches.open('a'), watches.open('b')];
    const waits = [first, second, other].map((watch) => watch.wait(0, TOO_LONG_MS, never));
    watches.wake('a', null);
    expect(await Promise.all(waits.map(isOver))).toEqual([true, true, false]);
    other.close();
  });

  it('remembers one wake-up without a waiting follower', async () => {
    const watches = new AppendWatches();
    const watch = watches.open('a');
    watches.wake('a', null);
    watches.wake('a', null);
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
    watches.wake('a', null);
    expect(await isOver(wait)).toBe(true);
    second.close();
    const later = watches.open('a');
    second.close();
    watches.wake('a', null);
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
