import { describe, expect, it } from '@jest/globals';
import { median } from './median.mjs';
import { percentile } from './percentile.mjs';

describe('percentile', () => {
  it.each([
    { values: [5, 1, 4, 2, 3], percent: 50, expected: 3 },
    { values: [1, 2, 3, 4], percent: 50, expected: 2 },
    { values: [1, 2, 3, 4], percent: 99, expected: 4 },
    { values: [1, 2, 3, 4], percent: 0, expected: 1 },
    { values: [7], percent: 95, expected: 7 },
  ])('is a value that was measured: $percent % of $values is $expected', ({ values, percent, expected }) => {
    expect(percentile(values, percent)).toBe(expected);
  });

  it('is not a number when nothing was measured', () => {
    expect(percentile([], 50)).toBeNaN();
  });
});

describe('median', () => {
  it.each([
    { values: [3, 1, 2], expected: 2 },
    { values: [4, 1, 2, 3], expected: 2.5 },
    { values: [10, 9], expected: 9.5 },
  ])('for $values is $expected', ({ values, expected }) => {
    expect(median(values)).toBe(expected);
  });

  it('is not a number when nothing was measured', () => {
    expect(median([])).toBeNaN();
  });
});
