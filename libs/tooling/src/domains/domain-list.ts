import type { z } from 'zod';
import type { DomainDependencies } from './domain-dependencies.js';
import type { DomainRoute, NamedSchema } from './domain-route.js';

/** One page request of a list. */
export interface ListRequest<Key, Params = unknown> {
  readonly tenantId: string;
  /** Parameters of the path; undefined if the path has none. */
  readonly params: Params;
  /** Key of the last row of the previous page; null for the first page. */
  readonly after: Key | null;
  readonly limit: number;
}

/**
 * A paged list of a domain, described as data: the API turns it into a GET route with `limit` and `cursor`, answered as
 * `data`, `has_more` and `next_cursor`.
 */
export interface DomainList<
  Manager = unknown,
  Row = unknown,
  Key extends string | number = string | number,
  Params = unknown,
> extends Pick<DomainRoute, 'path' | 'operation' | 'tag' | 'summary' | 'description' | 'scope' | 'problems'> {
  readonly params?: z.ZodType<Params>;
  /** Schema of one row. */
  readonly row: NamedSchema<Row>;
  /** Parses the cursor's key. Rows are ordered by this key, which is unique per row. */
  readonly key: z.ZodType<Key>;
  keyOf(row: Row): Key;
  /** Reads at most `limit` rows that follow `after`. */
  read(request: ListRequest<Key, Params>, dependencies: DomainDependencies<Manager>): Promise<readonly Row[]>;
}
