import { describe, expect, it } from '@jest/globals';
import { REVOCATION_PACE } from '../connections/revoke-tokens.task.js';
import { delayAfter } from './pace-tries.js';

describe('delayAfter', () => {
  it.each([
    ['the first try', 1, undefined, 5_000],
    ['the second', 2, undefined, 20_000],
    ['a late one', 8, undefined, 3_600_000],
    ['what the other side asks for', 1, 30_000, 30_000],
    ['less than the pace', 3, 1_000, 80_000],
    ['more than the longest delay', 1, 86_400_000, 3_600_000],
  ])('after %s', (_what, tryNumber, asked, expected) => {
    expect(delayAfter(tryNumber, undefined, asked)).toBe(expected);
  });

  it.each([
    [1, 30_000],
    [2, 120_000],
    [7, 21_600_000],
  ])('after try %i of a revocation is %i ms', (tryNumber, delayMs) => {
    expect(delayAfter(tryNumber, REVOCATION_PACE)).toBe(delayMs);
  });
});
