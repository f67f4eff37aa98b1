import type { List, ListRequest } from '#libs/kit';
import type { DomainDependencies } from './domain-dependencies.js';

/**
 * A paged list of a domain, described as data: the API turns it into a GET route with `limit` and `cursor`, answered as
 * `data`, `has_more` and `next_cursor`.
 */
export interface DomainList<
  Manager = unknown,
  Row = unknown,
  Key extends string | number = string | number,
  Params = unknown,
> extends Omit<List<Row, Key, Params>, 'read'> {
  /** Reads at most `limit` rows that follow `after`. */
  read(request: ListRequest<Key, Params>, dependencies: DomainDependencies<Manager>): Promise<readonly Row[]>;
}
