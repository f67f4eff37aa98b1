import { describe, expect, it } from '@jest/globals';
import { delayAfter } from './pace-tries.js';

describe('delayAfter', () => {
  it.each([
    ['the first try', 1, undefined, 5_000],
    ['the second', 2, undefined, 20_000],
    ['a late one', 8, undefined, 3_600_000],
    ['what the other side asks for', 1, 30_000, 30_000],
    ['less than the pace', 3, 1_000, 80_000],
    ['more than anybody waits', 1, 86_400_000, 3_600_000],
  ])('after %s', (_what, tryNumber, asked, expected) => {
    expect(delayAfter(tryNumber, asked)).toBe(expected);
  });
});
