import type { z } from 'zod';
import type { Database } from './database.js';
import type { DomainSecrets } from './secrets.js';
import type { TaskOrders } from './task.js';

/** Validated request; `params`, `query` and `body` are undefined if the route has no schema for them. */
export interface RouteRequest<Params, Query, Body> {
  readonly tenantId: string;
  /** Public part of the API key; null if the service requires none. */
  readonly keyId: string | null;
  /** Versions named by `If-Match`; null if any version is acceptable, or the route does not support the header. */
  readonly expectedVersions: readonly number[] | null;
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
}

/** Schema with its name in `openapi.json`. */
export interface NamedSchema<Value> {
  readonly name: string;
  readonly schema: z.ZodType<Value>;
  readonly example: Value;
}

/** Successful response; 204 has no body. */
export type RouteAnswer<Answer> =
  | (NamedSchema<Answer> & { readonly status: 200 | 201 | 202; readonly description: string })
  | { readonly status: 204; readonly description: string };

export interface RouteDependencies {
  readonly database: Database;
  readonly tasks: TaskOrders;
  readonly secrets: DomainSecrets;
  /**
   * True if the tenant may call this URL, judged by its text alone. The call itself checks the addresses that the host name
   * resolves to.
   */
  readonly mayCall: (tenantId: string, url: string) => boolean;
}

/** Facts of a route or a list for `openapi.json`. */
export interface OperationFacts {
  /** Path below `/api/`, without leading or trailing slash, e.g. `parcels/:id`. */
  readonly path: string;
  /** `operationId`, unique, e.g. `getParcel`. */
  readonly operation: string;
  /** Groups operations. */
  readonly tag: string;
  /** One line without a full stop. */
  readonly summary: string;
  readonly description: string;
  /** Scope that the API key needs, e.g. `executions:read`. */
  readonly scope: string;
  /** Statuses of errors beside those that every route has. */
  readonly problems?: readonly (404 | 409 | 422)[];
}

/** Endpoint of a domain. Schemas validate the request; `answer` documents the response. */
export interface Route<
  Params = unknown,
  Query = unknown,
  Body = unknown,
  Answer = unknown,
> extends OperationFacts {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly params?: z.ZodType<Params>;
  readonly query?: z.ZodType<Query>;
  readonly body?: NamedSchema<Body>;
  readonly answer: RouteAnswer<Answer>;
  /** Version of the answered resource, sent as its `ETag`. */
  versionOf?(answer: Answer): number;
  /** True if the answer shows more than its version covers; default false. */
  readonly showsMoreThanVersion?: boolean;
  /** True if the route accepts `If-Match`; default false. */
  readonly changesIfMatch?: boolean;
  /**
   * Resources of other tenants count as absent.
   * @throws {Refusal} for a request that is refused
   */
  handle(request: RouteRequest<Params, Query, Body>, dependencies: RouteDependencies): Promise<Answer>;
}

/** Defines an endpoint of a domain, and erases the types of its schemas, so that all routes fit one list. */
export function defineRoute<Params, Query, Body, Answer>(route: Route<Params, Query, Body, Answer>): Route {
  return route;
}

/** One page of a list. */
export interface ListRequest<Key, Params> {
  readonly tenantId: string;
  /** Parameters of the path; undefined if it has none. */
  readonly params: Params;
  /** Key of the last row of the previous page; null for the first page. */
  readonly after: Key | null;
  readonly limit: number;
}

/** Paged list of a domain, with `limit` and `cursor`, answered as `data`, `has_more` and `next_cursor`. */
export interface List<
  Row = unknown,
  Key extends string | number = string | number,
  Params = unknown,
> extends OperationFacts {
  readonly params?: z.ZodType<Params>;
  /** Schema of one row. */
  readonly row: NamedSchema<Row>;
  /** Parses the key, by which rows are ordered and which is unique, from the text of a cursor. */
  readonly key: z.ZodType<Key>;
  keyOf(row: Row): Key;
  /** Reads at most `limit` rows that follow `after`. */
  read(
    request: ListRequest<Key, Params>,
    dependencies: { readonly database: Database },
  ): Promise<readonly Row[]>;
}

/** Defines a list of a domain. */
export function defineList<Row, Key extends string | number, Params = unknown>(
  list: List<Row, Key, Params>,
): List {
  return list;
}
