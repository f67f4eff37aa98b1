import { describe, expect, it } from '@jest/globals';
import { sessionSearchOf } from './session-search.js';

describe('the address of a session', () => {
  it('holds a tab, a turn and the file that is open', () => {
    const search = { tab: 'files', turn: 3, file: 'reports/may.csv' };
    expect(sessionSearchOf({ ...search, turn: '3', other: 'x' })).toEqual(search);
  });

  it.each([
    [{ tab: 'x' }],
    [{ turn: 0 }],
    [{ turn: 1.5 }],
    [{ file: '' }],
    [{ file: 'x'.repeat(101) }],
    [{ file: 7 }],
  ])('holds nothing of %j', (search) => expect(sessionSearchOf(search)).toEqual({}));
});
