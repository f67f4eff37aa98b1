import { describe, expect, it } from '@jest/globals';
import { isTooSlow } from './body-arrivals.js';

const KIB = 1_024;
const MIB = 1_048_576;

describe('a body', () => {
  it.each<[what: string, waitedMs: number, bytes: number, mayBeLong: boolean, expected: boolean]>([
    ['within a minute', 59_999, 0, false, false],
    ['after more than a minute', 60_000, MIB, false, true],
    ['a long one that brings nothing', 60_000, 0, true, true],
    ['a long one that brings a byte a second', 61_000, 61, true, true],
    ['a long one that brings enough', 120_000, 60 * 64 * KIB + 1, true, false],
    ['a long one that had brought enough', 120_000, 60 * 64 * KIB, true, true],
    ['with 50 MiB at the least rate', 859_000, 50 * MIB, true, false],
    ['with 50 MiB that is not over then', 860_000, 50 * MIB, true, true],
  ])('%s (%i ms, %i bytes, long: %j) is too slow: %j', (_what, waitedMs, bytes, mayBeLong, expected) => {
    expect(isTooSlow({ waitedMs, bytes, mayBeLong })).toBe(expected);
  });
});
