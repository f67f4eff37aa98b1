import { describe, expect, it } from '@jest/globals';
import { firstByteLimit } from './first-byte-limit.js';

describe('firstByteLimit', () => {
  it.each([
    ['as configured while there is time', 60_000, 300_000, 300_000, false, 60_000],
    ['never longer than the whole request may take', 60_000, 30_000, 300_000, false, 30_000],
    ['half of what is left, so that a retry fits', 60_000, 300_000, 50_000, false, 25_000],
    ['all of it for the last try: the deadline ends that', 60_000, 300_000, 50_000, true, 60_000],
    ['never too short for an answer', 60_000, 300_000, 500, false, 1_000],
    ['nor longer than configured because of that', 300, 300_000, 500, false, 300],
    ['nor negative', 60_000, 300_000, -5, false, 1_000],
  ])('is %s', (_case, firstByteMs, timeoutMs, remainingMs, isLastTry, expected) =>
    expect(firstByteLimit({ firstByteMs, timeoutMs }, { remainingMs, isLastTry, isFollowed: true })).toBe(
      expected,
    ),
  );

  it('is as configured without a limit of time', () =>
    expect(firstByteLimit({ firstByteMs: 5, timeoutMs: 10 }, undefined)).toBe(5));
});
