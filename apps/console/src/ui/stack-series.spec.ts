import { expect, it } from '@jest/globals';
import { knownSum, stackSeries } from './stack-series.js';

it('puts each series on top of those before it, and draws nothing for an unknown amount', () => {
  expect(
    stackSeries([
      [1, null, 3],
      [2, 2, null],
      [0, 1, 1],
    ]),
  ).toEqual([
    [1, 0, 3],
    [3, 2, 3],
    [3, 3, 4],
  ]);
  expect(stackSeries([])).toEqual([]);
});

it('sums what is known, and is not zero where anything unknown is all there is', () => {
  expect([knownSum([]), knownSum([0, 0]), knownSum([1, null, 2])]).toEqual([0, 0, 3]);
  expect([knownSum([null]), knownSum([0, null, 0])]).toEqual([null, null]);
});
