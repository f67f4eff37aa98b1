import { describe, expect, it } from '@jest/globals';
import { fuseRankings, mergeByRank } from './rank-fusion.js';

const idsOf = (chunks: readonly { readonly chunkId: number }[]) => chunks.map(({ chunkId }) => chunkId);

describe('fusing rankings', () => {
  it.each([
    ['nothing', [], []],
    ['one ranking as it is', [[3, 1, 2]], [3, 1, 2]],
    [
      'a chunk of both rankings comes first',
      [
        [1, 2, 3],
        [3, 4],
      ],
      [3, 1, 2, 4],
    ],
    [
      'two good places before one best',
      [
        [1, 2],
        [3, 2],
      ],
      [2, 1, 3],
    ],
    ['ties by their ids', [[9], [4]], [4, 9]],
  ])('%s', (_what, rankings, expected) => {
    expect(idsOf(fuseRankings(rankings))).toEqual(expected);
  });

  it('a place is worth 1 / (60 + place) in each', () => {
    expect(fuseRankings([[1, 2], [2]])).toEqual([
      { chunkId: 2, worth: 1 / 62 + 1 / 61 },
      { chunkId: 1, worth: 1 / 61 },
    ]);
  });

  it('does not depend on the order of the rankings', () => {
    const rankings = [
      [5, 1, 7],
      [7, 2],
      [2, 5, 9, 1],
    ];
    expect(idsOf(fuseRankings([...rankings].reverse()))).toEqual(idsOf(fuseRankings(rankings)));
  });
});

describe('merging by rank', () => {
  const list = (...ids: number[]) => ids.map((chunkId) => ({ chunkId, worth: 0.5 }));

  it.each([
    ['nothing', [], []],
    ['the first of each, then the second', [list(1, 2, 3), list(10, 11)], [1, 10, 2, 11, 3]],
    ['a short list loses no place to a long one', [list(5, 6, 7, 8), list(9)], [5, 9, 6, 7, 8]],
  ])('%s', (_what, rankings, expected) => {
    expect(idsOf(mergeByRank(rankings))).toEqual(expected);
  });

  it('within one place what is worth most comes first, then the smaller id', () => {
    const rankings = [
      [{ chunkId: 1, worth: 0.1 }],
      [{ chunkId: 9, worth: 0.3 }],
      [{ chunkId: 8, worth: 0.3 }],
    ];
    expect(idsOf(mergeByRank(rankings))).toEqual([8, 9, 1]);
  });
});
