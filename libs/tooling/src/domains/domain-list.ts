import type { z } from 'zod';
import type { DomainDependencies } from './domain-dependencies.js';
import type { DomainRoute, NamedSchema } from './domain-route.js';

/** Which rows of a list are asked for. */
export interface ListRequest<Key, Params = unknown> {
  readonly tenantId: string;
  /** What stands in the path; undefined where there is nothing. */
  readonly params: Params;
  /** The key of the last row that is known already; null for the first page. */
  readonly after: Key | null;
  readonly limit: number;
}

/**
 * A list of a domain, as data: the API makes of it a GET route that takes `limit` and `cursor` and answers in pages, like
 * every other list (`data`, `has_more`, `next_cursor`).
 */
export interface DomainList<
  Manager = unknown,
  Row = unknown,
  Key extends string | number = string | number,
  Params = unknown,
> extends Pick<DomainRoute, 'path' | 'operation' | 'tag' | 'summary' | 'description' | 'scope' | 'problems'> {
  readonly params?: z.ZodType<Params>;
  /** One row of a page. */
  readonly row: NamedSchema<Row>;
  /** Parses what a cursor holds; rows are in the order of this key, each with one of its own. */
  readonly key: z.ZodType<Key>;
  keyOf(row: Row): Key;
  /** At most `limit` rows, those after `after`. */
  read(request: ListRequest<Key, Params>, dependencies: DomainDependencies<Manager>): Promise<readonly Row[]>;
}

/** Keeps the types of the rows while a list is written, and forgets them so that all fit one array. */
export function defineList<Manager, Row, Key extends string | number, Params = unknown>(
  list: DomainList<Manager, Row, Key, Params>,
): DomainList<Manager> {
  return list;
}
