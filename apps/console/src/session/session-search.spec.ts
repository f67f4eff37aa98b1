import { describe, expect, it } from '@jest/globals';
import { sessionSearchOf } from './session-search.js';

describe('the address of a session', () => {
  it('holds a tab, a turn and the file that is open', () => {
    const search = { tab: 'files', turn: 3, file: 'reports/may.csv' };
    expect(sessionSearchOf({ ...search, turn: '3', other: 'x' })).toEqual(search);
  });

  it.each([[{ tab: 'x' }], [{ turn: 0 }], [{ turn: 1.5 }], [{ file: 'may.csv' }]])(
    'holds nothing of %j',
    (search) => expect(sessionSearchOf(search)).toEqual({}),
  );

  it.each([[''], ['x'.repeat(101)], [7]])('opens no file %j', (file) => {
    expect(sessionSearchOf({ tab: 'files', file })).toEqual({ tab: 'files' });
  });

  it('opens no file that the tab does not show', () => {
    const tab = 'conversation';
    expect(sessionSearchOf({ tab, file: 'may.csv' })).toEqual({ tab });
  });
});
