import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { cursorSchema, encodeCursor, toPage } from './page.js';
import { idSchema, limitSchema } from './request-values.js';

const rows = [{ id: 4 }, { id: 7 }, { id: 9 }];

describe('toPage', () => {
  it('keeps back the row that was read beyond the limit', () => {
    expect(toPage(rows, 2)).toEqual({
      data: [{ id: 4 }, { id: 7 }],
      has_more: true,
      next_cursor: encodeCursor(7),
    });
  });

  it('has no cursor on the last page', () => {
    expect(toPage(rows, 3)).toEqual({ data: rows, has_more: false, next_cursor: null });
  });

  it('may be empty', () => {
    expect(toPage([], 3)).toEqual({ data: [], has_more: false, next_cursor: null });
  });
});

describe('a cursor', () => {
  it('comes back as the number it was made of', () => {
    expect(cursorSchema(idSchema).parse(encodeCursor(2_147_483_647))).toBe(2_147_483_647);
  });

  it('comes back as the UUID it was made of', () => {
    const id = '0198c0de-0000-7000-8000-000000000001';

    expect(cursorSchema(z.uuid()).parse(encodeCursor(id))).toBe(id);
  });

  it.each([
    ['nothing', ''],
    ['no base64', '!!!'],
    ['a number instead of a cursor', '12'],
    ['another key', encodeCursor('0198c0de-0000-7000-8000-000000000001')],
    ['an id too large', encodeCursor('2147483648')],
    ['a negative id', encodeCursor(-1)],
    ['padding', `${encodeCursor(7)}==`],
    ['SQL', encodeCursor("1' OR '1'='1")],
  ])('of %s is refused in words that show nothing of the inside', (_name, cursor) => {
    const parsed = cursorSchema(idSchema).safeParse(cursor);

    expect(parsed.error?.issues.map((issue) => issue.message)).toEqual([
      'must be the next_cursor of an earlier answer',
    ]);
  });
});

describe('limit', () => {
  it.each([
    ['1', 1],
    ['100', 100],
  ])('takes %j', (text, limit) => expect(limitSchema.parse(text)).toBe(limit));

  it.each([['0'], ['101'], ['-1'], ['1.5'], ['1e1'], [''], [' 5'], ['abc'], ['0x10']])(
    'refuses %j',
    (text) => {
      const parsed = limitSchema.safeParse(text);

      expect(parsed.error?.issues[0]?.message).toBe('must be a whole number from 1 to 100');
    },
  );
});
