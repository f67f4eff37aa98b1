import { describe, expect, it } from '@jest/globals';
import type { ExecutionSummary } from '../api/types.js';
import { expiredOf } from './expired-of.js';
import { callBeside, nextCall } from './next-call.js';

const place = (key: string, isWaiting = true) => ({ key, isWaiting });

describe('the call to go to', () => {
  const places = [place('a'), place('b', false), place('c'), place('d')];

  it.each([
    ['a', 'c'],
    ['c', 'd'],
    ['d', 'a'],
    ['gone', 'a'],
  ])('after %s was decided is %s', (decided, expected) => {
    expect(nextCall(places, decided)).toBe(expected);
  });

  it('is none once nothing waits', () => {
    expect(nextCall([place('a'), place('b', false)], 'a')).toBeNull();
    expect(callBeside([], null, 1)).toBeNull();
  });

  it.each([
    [null, 1, 'a'],
    ['a', 1, 'c'],
    ['c', -1, 'a'],
    ['b', 1, 'c'],
    ['d', 1, 'd'],
    ['a', -1, 'a'],
    ['gone', -1, 'a'],
  ] as const)('from %s by %s is %s', (current, step, expected) => {
    expect(callBeside(places, current, step)).toBe(expected);
  });
});

describe('the time for a decision', () => {
  const run = (expires_at: string | null) =>
    ({
      required_action: expires_at === null ? null : { calls: [], expires_at },
    }) as unknown as ExecutionSummary;

  it('is over of as many runs as have passed it', () => {
    const now = Date.parse('2026-11-28T12:00:00.000Z');
    const runs = [run('2026-11-28T11:59:59.000Z'), run('2026-11-28T12:00:01.000Z'), run(null)];
    expect(expiredOf(runs, now)).toBe(1);
  });
});
