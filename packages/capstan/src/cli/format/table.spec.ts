import { describe, expect, it } from '@jest/globals';
import { table, type Column } from './table.js';

interface Row {
  readonly id: string;
  readonly cost: number | null;
  readonly input: string;
}

const COLUMNS: Column<Row>[] = [
  { title: 'ID', of: ({ id }) => id },
  { title: 'COST', of: ({ cost }) => cost },
  { title: 'INPUT', of: ({ input }) => input, isWide: true },
];

describe('a table', () => {
  it('has a line of titles and a line for each row', () => {
    const rows = [
      { id: 'a', cost: 12, input: 'Good\nmorning' },
      { id: 'long', cost: null, input: 'x' },
    ];
    expect(table(rows, COLUMNS, null)).toEqual([
      'ID    COST  INPUT',
      'a     12    Good morning',
      'long  —     x',
    ]);
  });

  it('fits a terminal by its wide columns', () => {
    const lines = table([{ id: 'a', cost: 1, input: 'a very long input of a customer' }], COLUMNS, 25);
    expect(lines).toEqual(['ID  COST  INPUT', 'a   1     a very long in…']);
  });

  it('is its titles where there are no rows', () => {
    expect(table([], COLUMNS, null)).toEqual(['ID  COST  INPUT']);
  });
});
