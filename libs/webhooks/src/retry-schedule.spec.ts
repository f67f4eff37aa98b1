import { describe, expect, it } from '@jest/globals';
import { nextAttemptDelay } from './retry-schedule.js';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

describe('nextAttemptDelay', () => {
  it.each([
    [1, 5 * SECOND],
    [2, 5 * MINUTE],
    [3, 30 * MINUTE],
    [4, 2 * HOUR],
    [5, 5 * HOUR],
    [6, 10 * HOUR],
    [7, 14 * HOUR],
    [8, 20 * HOUR],
    [9, 24 * HOUR],
    [10, null],
    [11, null],
  ])('after %i failed attempts waits %p ms', (failedAttempts, delay) =>
    expect(nextAttemptDelay(failedAttempts, null, 0)).toBe(delay),
  );

  it.each([
    ['spreads by chance over a fifth more', 2, null, 0.5, 5.5 * MINUTE],
    ['waits as long as the receiver asks', 1, 90 * SECOND, 0, 90 * SECOND],
    ['waits no shorter because the receiver asks', 2, SECOND, 0, 5 * MINUTE],
    ['waits no longer than a day for the receiver', 1, 400 * HOUR, 0, 24 * HOUR],
    ['does not begin again when the receiver asks', 10, SECOND, 0, null],
  ])('%s', (_name, failedAttempts, retryAfterMs, random, delay) =>
    expect(nextAttemptDelay(failedAttempts, retryAfterMs, random)).toBe(delay),
  );
});
