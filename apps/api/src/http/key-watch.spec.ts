import { EventEmitter } from 'node:events';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { KeyWatch } from './key-watch.js';

class Response extends EventEmitter {
  closed = false;
  isDestroyed = false;
  destroy(): this {
    this.isDestroyed = true;
    return this;
  }

  end(): void {
    this.closed = true;
    this.emit('close');
  }
}

const asked: string[][] = [];
let usable: Set<string>;
let isAway: boolean;
let watch: KeyWatch;

function open(keyId: string | null, sessionId?: string, response = new Response()): Response {
  watch.watch({ keyId, ...(sessionId !== undefined && { sessionId }) }, response as never);
  return response;
}

beforeEach(() => {
  jest.useFakeTimers();
  asked.length = 0;
  usable = new Set(['a', 'b']);
  isAway = false;
  const lookup = {
    filterUsable: (ids: readonly string[]): Promise<Set<string>> => {
      asked.push([...ids]);
      return isAway ? Promise.reject(new Error('away')) : Promise.resolve(usable);
    },
  };
  watch = new KeyWatch(lookup, lookup);
});
afterEach(() => {
  watch.onModuleDestroy();
  jest.useRealTimers();
});

describe('requests that stay open', () => {
  it('are closed within 5 seconds once their key has ended, and no others', async () => {
    const [first, second, other, nobodys] = [open('a'), open('a'), open('b'), open(null)];
    await jest.advanceTimersByTimeAsync(30_000);
    expect([first, second, other, nobodys].some(({ isDestroyed }) => isDestroyed)).toBe(false);

    usable.delete('a');
    await jest.advanceTimersByTimeAsync(5_000);

    expect([first, second, other, nobodys].map(({ isDestroyed }) => isDestroyed)).toEqual([
      ...[true, true],
      ...[false, false],
    ]);
  });

  it('are closed when their session ends, although its key is still valid', async () => {
    usable.add('s1');
    const [ofKey, ofSession] = [open('a'), open('a', 's1')];
    await jest.advanceTimersByTimeAsync(5_000);
    expect(asked).toEqual([['a'], ['s1']]);

    usable.delete('s1');
    await jest.advanceTimersByTimeAsync(5_000);
    expect([ofKey, ofSession].map(({ isDestroyed }) => isDestroyed)).toEqual([false, true]);
  });

  it('stay while it is unknown whether their key has ended', async () => {
    const response = open('a');
    isAway = true;
    await jest.advanceTimersByTimeAsync(60_000);
    expect(response.isDestroyed).toBe(false);

    [isAway, usable] = [false, new Set()];
    await jest.advanceTimersByTimeAsync(30_000);
    expect(response.isDestroyed).toBe(true);
  });

  it('are forgotten when they are over; nothing is asked where none is open', async () => {
    const response = open('a');
    const gone = new Response();
    gone.end();
    open('a', undefined, gone);
    await jest.advanceTimersByTimeAsync(5_000);
    expect(asked).toEqual([['a']]);

    response.end();
    await jest.advanceTimersByTimeAsync(60_000);

    expect(asked).toHaveLength(1);
    expect(jest.getTimerCount()).toBe(0);
  });
});
