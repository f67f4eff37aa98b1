import { expect, it } from '@jest/globals';
import { growthOf, type TableState } from './table-bloat.mjs';

const state = (inserts: number, updates: number, hotUpdates: number, bytes: number): TableState => ({
  indexes: 3,
  inserts,
  updates,
  hotUpdates,
  deadRows: 0,
  bytes,
});

it('growthOf counts an entry in each index for inserts and for updates that are not HOT', () => {
  const before = new Map([['execution', state(10, 10, 5, 100)]]);
  const after = new Map([
    ['execution', state(12, 16, 7, 400)],
    ['made since', state(1_000, 0, 0, 1_000)],
  ]);
  expect(growthOf(before, after)).toEqual({ bytes: 300, indexEntries: (2 + 6 - 2) * 3 });
});
