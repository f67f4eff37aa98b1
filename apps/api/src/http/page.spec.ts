import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { MAX_PAGE_BYTES } from '#libs/persistence';
import { byId, cursorSchema, encodeCursor, toPage } from './page.js';
import { idSchema, limitSchema } from './request-values.js';

const rows = [{ id: 4 }, { id: 7 }, { id: 9 }];
/** The row is a few bytes longer as JSON, by its key and braces. */
const long = (id: number, length: number): { id: number; text: string } => ({ id, text: 'x'.repeat(length) });

describe('toPage', () => {
  it('has a cursor where there is more', () => {
    expect(toPage({ rows, hasMore: true }, byId)).toEqual({
      data: rows,
      has_more: true,
      next_cursor: encodeCursor(9),
    });
  });

  it('has no cursor on the last page', () => {
    expect(toPage({ rows, hasMore: false }, byId)).toEqual({
      data: rows,
      has_more: false,
      next_cursor: null,
    });
  });

  it('may be empty', () => {
    expect(toPage({ rows: [], hasMore: false }, byId)).toEqual({
      data: [],
      has_more: false,
      next_cursor: null,
    });
  });

  it('ends before the row that no longer fits', () => {
    const half = MAX_PAGE_BYTES / 2 - 100;
    const page = toPage({ rows: [long(1, half), long(2, half), long(3, half)], hasMore: false }, byId);

    expect(page.data.map(byId)).toEqual([1, 2]);
    expect(page).toMatchObject({ has_more: true, next_cursor: encodeCursor(2) });
  });

  it('counts bytes of JSON, not characters', () => {
    const quotes = { id: 1, text: '"'.repeat(MAX_PAGE_BYTES / 2) };
    const kanji = { id: 1, text: '発'.repeat(MAX_PAGE_BYTES / 3) };

    expect(toPage({ rows: [quotes, { id: 2 }], hasMore: false }, byId).data.map(byId)).toEqual([1]);
    expect(toPage({ rows: [kanji, { id: 2 }], hasMore: false }, byId).data.map(byId)).toEqual([1]);
  });

  it('holds a row that is longer than a page, alone', () => {
    const page = toPage({ rows: [long(1, 2 * MAX_PAGE_BYTES), { id: 2 }], hasMore: false }, byId);

    expect(page).toMatchObject({ data: [{ id: 1 }], has_more: true, next_cursor: encodeCursor(1) });
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
  ])('with the content %s is refused without internal details', (_name, cursor) => {
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
