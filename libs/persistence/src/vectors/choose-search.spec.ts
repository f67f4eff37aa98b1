import { describe, expect, it } from '@jest/globals';
import { isScanned, SCAN_BOUNDS } from './choose-search.js';

describe('whether an index of vectors is asked', () => {
  it.each<[string, number, number | null, number, boolean]>([
    ['there is none', 100_000, null, 50, false],
    ['comparing all is as quick', 5_000, 5_000, 50, false],
    ['one more than that', 5_001, 5_001, 50, true],
    ['all of it may pass', 100_000, 100_000, 50, true],
    ['a tenth of it may pass', 100_000, 1_000_000, 50, true],
    ['one in 200 may pass, and 50 are asked for', 50_000, 10_000_000, 50, true],
    ['fewer may pass', 49_000, 10_000_000, 50, false],
    ['one in 200 may pass, and 51 are asked for', 50_000, 10_000_000, 51, false],
    ['it has fewer vectors than there are chunks, which share them', 100_000, 10, 800, true],
  ])('%s: %d chunks, %s vectors, %d asked for: %s', (_when, chunks, vectors, limit, expected) => {
    expect(isScanned({ chunks, vectors }, limit, SCAN_BOUNDS)).toBe(expected);
  });
});
