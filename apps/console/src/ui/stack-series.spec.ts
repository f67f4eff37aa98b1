import { expect, it } from '@jest/globals';
import { stackSeries } from './stack-series.js';

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
