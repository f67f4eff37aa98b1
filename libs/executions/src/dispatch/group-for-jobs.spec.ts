import { describe, expect, it } from '@jest/globals';
import { groupForJobs } from './group-for-jobs.js';

const due = (count: number) => Array.from({ length: count }, (_, index) => ({ executionId: `e${index}` }));

describe('groupForJobs', () => {
  it.each([
    { count: 0, sizes: [] },
    { count: 1, sizes: [1] },
    { count: 2, sizes: [1, 1] },
    { count: 5, sizes: [3, 2] },
    { count: 32, sizes: [16, 16] },
    { count: 50, sizes: [16, 16, 16, 2] },
    { count: 70, sizes: [16, 16, 16, 16, 6] },
  ])('spreads $count over jobs of $sizes', ({ count, sizes }) => {
    expect(groupForJobs(due(count)).map((group) => group.length)).toEqual(sizes);
  });

  it('keeps all of them, in their order', () => {
    const all = due(50);
    expect(groupForJobs(all).flat()).toEqual(all.map(({ executionId }) => executionId));
  });
});
