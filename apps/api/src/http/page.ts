import { z } from 'zod';
import { MAX_PAGE_BYTES, type RowsOfPage } from '#libs/persistence';
import { limitSchema } from './request-values.js';

const DEFAULT_PAGE = 20;

/** One page of an ordered list; `next_cursor` continues after it. */
export interface Page<Row> {
  readonly data: readonly Row[];
  readonly has_more: boolean;
  readonly next_cursor: string | null;
}

export function pageSchema<Row extends z.ZodType>(row: Row) {
  return z.object({
    data: z.array(row),
    has_more: z.boolean(),
    next_cursor: z
      .string()
      .nullable()
      .describe('Send it as `cursor` to get the next page; null on the last page.'),
  });
}

/** OpenAPI example of a page with these rows. */
export function pageExample<Row>(...data: readonly Row[]) {
  return { data: [...data], has_more: true, next_cursor: 'MTI' };
}

/**
 * A page of the first rows that fit into {@link MAX_PAGE_BYTES} of JSON, at least one. The database limits pages by its own
 * estimate, which can be too low.
 */
export function toPage<Row>(
  { rows, hasMore }: RowsOfPage<Row>,
  keyOf: (row: Row) => string | number,
): Page<Row> {
  const data = rows.slice(0, countFitting(rows));
  const last = data.at(-1);
  const has_more = hasMore || data.length < rows.length;
  return { data, has_more, next_cursor: has_more && last !== undefined ? encodeCursor(keyOf(last)) : null };
}

export function byId<Key extends string | number>({ id }: { readonly id: Key }): Key {
  return id;
}

function countFitting(rows: readonly unknown[]): number {
  let bytes = 0;
  const tooLong = rows.findIndex((row, index) => {
    bytes += Buffer.byteLength(JSON.stringify(row)) + 1;
    return index > 0 && bytes > MAX_PAGE_BYTES;
  });
  return tooLong === -1 ? rows.length : tooLong;
}

/** Query parameters of a list; `key` parses the content of its cursors. */
export function pageQuerySchema<Key extends z.ZodType>(key: Key) {
  return z.strictObject({
    limit: limitSchema
      .default(DEFAULT_PAGE)
      .describe('Maximum number of items in a page; a page also ends at 1 MB.'),
    cursor: cursorSchema(key).optional().describe('`next_cursor` of the previous page.'),
  });
}

/** Cursors are opaque, so that the sort key can change. */
export function encodeCursor(key: string | number): string {
  return Buffer.from(String(key)).toString('base64url');
}

/** Parses a cursor to its key; the issue describes a valid cursor, not its content. */
export function cursorSchema<Key extends z.ZodType>(key: Key) {
  return z.string().transform((cursor, context): z.output<Key> => {
    const text = Buffer.from(cursor, 'base64url').toString();
    const parsed = key.safeParse(text);
    if (parsed.success && encodeCursor(text) === cursor) return parsed.data;
    context.addIssue({ code: 'custom', message: 'must be the next_cursor of an earlier answer' });
    return z.NEVER;
  });
}
