import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { sayTable } from './table.ts';

describe('a table in a terminal', () => {
  let printed = '';
  beforeEach(() => {
    printed = '';
    jest.spyOn(process.stdout, 'write').mockImplementation((text) => {
      printed += String(text);
      return true;
    });
  });
  afterEach(() => {
    jest.restoreAllMocks();
  });

  it('lines up columns although Japanese letters are twice as wide', () => {
    sayTable(
      ['name', 'quantity'],
      [
        ['りんご', '2'],
        ['apple', '10'],
      ],
    );

    expect(printed.split('\n')).toEqual(['  name    quantity', '  りんご  2', '  apple   10', '']);
  });

  it('cuts a cell that is too wide and keeps the row on one line', () => {
    sayTable(['input', 'output'], [[`${'a'.repeat(60)}\nb`, 'x'.repeat(500)]]);

    const row = printed.split('\n')[1] ?? '';
    expect(row).toContain(`  ${'a'.repeat(43)}…  x`);
    expect(row.endsWith('…')).toBe(true);
    expect(printed.split('\n')).toHaveLength(3);
  });
});
