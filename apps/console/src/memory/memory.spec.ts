import { describe, expect, it } from '@jest/globals';
import { isFiltered, memoryFilterOf, queryOf } from './memory-filter.js';

describe('the filter of the memories', () => {
  it('takes from an address what makes sense', () => {
    const filter = memoryFilterOf({ executor: 'u-17', agent: '3', open: 12, other: 1 });
    expect(filter).toEqual({ executor: 'u-17', agent: 3, open: 12 });
    expect(queryOf(filter)).toEqual({ executor_id: 'u-17', agent_id: 3 });
  });

  it('keeps an executor of digits alone', () => {
    expect(memoryFilterOf({ executor: 17 })).toEqual({ executor: '17' });
  });

  it.each([
    { executor: '' },
    { executor: 'x'.repeat(201) },
    { executor: 'a\0' },
    { executor: {} },
    { agent: 'x' },
    { agent: -1 },
    { open: 1.5 },
  ])('passes over %j', (search) => {
    expect(memoryFilterOf(search)).toEqual({});
  });

  it('narrows the list by executor or agent, not by what is open', () => {
    expect([{ executor: 'a' }, { agent: 1 }, { open: 1 }].map(isFiltered)).toEqual([true, true, false]);
  });
});
