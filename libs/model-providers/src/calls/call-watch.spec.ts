import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { CallStopped, CallWatch } from './call-watch.js';

const never = () => new Promise<never>(() => undefined);

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

describe('CallWatch', () => {
  it('lets work through that ends in time', async () => {
    const watch = new CallWatch(new AbortController().signal);
    watch.expectWithin(100, 'request_timeout');
    await expect(watch.race(Promise.resolve('done'))).resolves.toBe('done');
    watch.close();
    expect(jest.getTimerCount()).toBe(0);
  });

  it('ends at once when the caller aborts, and closes the connection', async () => {
    const caller = new AbortController();
    const watch = new CallWatch(caller.signal);
    const work = watch.race(never());
    caller.abort();
    await expect(work).rejects.toEqual(new CallStopped('aborted', null));
    expect(watch.signal.aborted).toBe(true);
  });

  it('ends at once when the caller had aborted before', async () => {
    const watch = new CallWatch(AbortSignal.abort());
    await expect(watch.race(never())).rejects.toMatchObject({ reason: 'aborted' });
  });

  it('ends when nothing happens in time', async () => {
    const watch = new CallWatch(new AbortController().signal);
    watch.expectWithin(100, 'idle_timeout');
    const work = watch.race(never());
    jest.advanceTimersByTime(100);
    await expect(work).rejects.toMatchObject({ reason: 'idle_timeout', afterMs: 100 });
    expect(watch.isStopped).toBe(true);
  });

  it('starts to count anew with every progress', () => {
    const watch = new CallWatch(new AbortController().signal);
    watch.expectWithin(100, 'idle_timeout');
    for (let event = 0; event < 5; event += 1) {
      jest.advanceTimersByTime(99);
      watch.progress();
    }
    expect(watch.isStopped).toBe(false);
    jest.advanceTimersByTime(100);
    expect(watch.isStopped).toBe(true);
  });

  it('counts only the limit that was set last', () => {
    const watch = new CallWatch(new AbortController().signal);
    watch.expectWithin(100, 'request_timeout');
    watch.expectWithin(1_000, 'idle_timeout');
    jest.advanceTimersByTime(999);
    expect(watch.isStopped).toBe(false);
  });

  it('leaves no timer and no listener behind when it is closed', () => {
    const caller = new AbortController();
    const watch = new CallWatch(caller.signal);
    watch.expectWithin(100, 'request_timeout');
    watch.close();
    expect(jest.getTimerCount()).toBe(0);
    watch.expectWithin(100, 'request_timeout');
    expect(jest.getTimerCount()).toBe(0);
    expect(watch.signal.aborted).toBe(true);
  });
});
