import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { KeyWatch } from './key-watch.js';

class Response {
  isDestroyed = false;
  destroy(): this {
    this.isDestroyed = true;
    return this;
  }
}

const asked: string[][] = [];
let usable: Set<string>;
let isAway: boolean;
let watch: KeyWatch;

function open(keyId: string | null, signal = new AbortController().signal): Response {
  const response = new Response();
  watch.watch({ keyId }, response as never, signal);
  return response;
}

beforeEach(() => {
  jest.useFakeTimers();
  asked.length = 0;
  usable = new Set(['a', 'b']);
  isAway = false;
  watch = new KeyWatch({
    filterUsable: (ids) => {
      asked.push([...ids]);
      return isAway ? Promise.reject(new Error('away')) : Promise.resolve(usable);
    },
  });
});
afterEach(() => {
  watch.onModuleDestroy();
  jest.useRealTimers();
});

describe('requests that stay open', () => {
  it('are closed within 30 seconds once their key has ended, and no others', async () => {
    const [first, second, other, nobodys] = [open('a'), open('a'), open('b'), open(null)];
    await jest.advanceTimersByTimeAsync(30_000);
    expect([first, second, other, nobodys].some(({ isDestroyed }) => isDestroyed)).toBe(false);

    usable.delete('a');
    await jest.advanceTimersByTimeAsync(30_000);

    expect([first, second, other, nobodys].map(({ isDestroyed }) => isDestroyed)).toEqual([
      ...[true, true],
      ...[false, false],
    ]);
  });

  it('stay while nobody can say whether their key has ended', async () => {
    const response = open('a');
    isAway = true;
    await jest.advanceTimersByTimeAsync(60_000);
    expect(response.isDestroyed).toBe(false);

    [isAway, usable] = [false, new Set()];
    await jest.advanceTimersByTimeAsync(30_000);
    expect(response.isDestroyed).toBe(true);
  });

  it('are forgotten when they are over; nothing is asked where none is open', async () => {
    const controller = new AbortController();
    open('a', controller.signal);
    open('a', AbortSignal.abort());
    await jest.advanceTimersByTimeAsync(10_000);
    expect(asked).toEqual([['a']]);

    controller.abort();
    await jest.advanceTimersByTimeAsync(60_000);

    expect(asked).toHaveLength(1);
    expect(jest.getTimerCount()).toBe(0);
  });
});
