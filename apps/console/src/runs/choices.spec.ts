import { describe, expect, it } from '@jest/globals';
import { chosenColumns, USUAL_COLUMNS, withColumnToggled } from './column-choice.js';
import { isSameFilter, savedFiltersOf, withFilterSaved } from './saved-filters.js';

describe('the choice of columns', () => {
  it('takes the known columns in the order of the list', () => {
    expect(chosenColumns('cost,nonsense,status')).toEqual(['status', 'cost']);
    expect(chosenColumns('')).toEqual([]);
    expect(chosenColumns(null)).toEqual(USUAL_COLUMNS);
  });

  it('adds a column in its place and takes it away again', () => {
    const chosen = withColumnToggled(['status', 'cost'], 'model');
    expect(chosen).toEqual(['status', 'model', 'cost']);
    expect(withColumnToggled(chosen, 'model')).toEqual(['status', 'cost']);
  });
});

describe('saved filters', () => {
  const failed = { name: 'Failed', filter: { status: 'failed' } };

  it('are read as they were written', () => {
    expect(savedFiltersOf(JSON.stringify([failed]))).toEqual([failed]);
  });

  it.each([null, '', 'no JSON', '{}', '[1, null, {"name": 5}, {"name": "x"}, {"name": "", "filter": {}}]'])(
    'are none where the browser kept %j',
    (kept) => {
      expect(savedFiltersOf(kept)).toEqual([]);
    },
  );

  it('pass over parts of a filter that make no sense', () => {
    const kept = JSON.stringify([{ name: 'x', filter: { status: 'failed', agent: 'x', secret: 'y' } }]);
    expect(savedFiltersOf(kept)).toEqual([{ name: 'x', filter: { status: 'failed' } }]);
  });

  it('hold one filter for a name, and at most 30', () => {
    const again = { ...failed, filter: { status: 'failed,cancelled' } };
    expect(withFilterSaved([failed], again)).toEqual([again]);
    const many = Array.from({ length: 30 }, (_, index) => ({ name: `n${index}`, filter: {} }));
    const names = withFilterSaved(many, failed).map(({ name }) => name);
    expect(names).toHaveLength(30);
    expect([names[0], names.at(-1)]).toEqual(['n1', 'Failed']);
  });

  it('are the same when they ask for the same', () => {
    expect(isSameFilter({ agent: 1, status: 'failed' }, { status: 'failed', agent: 1 })).toBe(true);
    expect(isSameFilter({ agent: 1 }, { agent: 1, status: 'failed' })).toBe(false);
  });
});
