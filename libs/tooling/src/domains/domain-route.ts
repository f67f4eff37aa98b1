import type { z } from 'zod';
import type { RouteDependencies } from './domain-dependencies.js';

/** What a route is asked; `params`, `query` and `body` have passed their schemas, and are undefined where there is none. */
export interface RouteRequest<Params, Query, Body> {
  readonly tenantId: string;
  /** The public part of the API key; null where no key is asked for. */
  readonly keyId: string | null;
  /** The versions that `If-Match` names; null where any will do, and where the route does not take the header. */
  readonly expectedVersions: readonly number[] | null;
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
}

/** A schema and the name that the document of the API gives it. */
export interface NamedSchema<Value> {
  readonly name: string;
  readonly schema: z.ZodType<Value>;
  /** What the document shows for it. */
  readonly example: Value;
}

/** What a route answers when all is well: 204 has no body. */
export type RouteAnswer<Answer> =
  | (NamedSchema<Answer> & { readonly status: 200 | 201 | 202; readonly description: string })
  | { readonly status: 204; readonly description: string };

/**
 * An endpoint of a domain, as data: the API makes the controller, the document, the checks of the request, the
 * authentication and the limits of it. Schemas check what comes in; `answer` describes what goes out.
 */
export interface DomainRoute<
  Manager = unknown,
  Params = unknown,
  Query = unknown,
  Body = unknown,
  Answer = unknown,
> {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Below `/api/` and without slashes at its ends, e.g. `parcels/:id`. */
  readonly path: string;
  /** The id of the operation in the document, e.g. `getParcel`: generated clients name their methods by it. */
  readonly operation: string;
  /** Groups operations in the document. */
  readonly tag: string;
  /** One line without a full stop. */
  readonly summary: string;
  /** What a caller has to know besides, in sentences. */
  readonly description: string;
  /** The scope that an API key needs, e.g. `executions:read`. */
  readonly scope: string;
  readonly params?: z.ZodType<Params>;
  readonly query?: z.ZodType<Query>;
  readonly body?: NamedSchema<Body>;
  readonly answer: RouteAnswer<Answer>;
  /** The version of what is answered, as its `ETag`. */
  versionOf?(answer: Answer): number;
  /** What is read shows more than its version counts, such as names from elsewhere: its `ETag` is of the answer, too. */
  readonly showsMoreThanVersion?: boolean;
  /** Takes `If-Match`; throws an `AppError` of the kind `precondition_failed` where none of its versions is there. */
  readonly changesIfMatch?: boolean;
  /** Problems it answers beside those that every route may, and 400 where it reads anything. */
  readonly problems?: readonly (404 | 409 | 422)[];
  /**
   * Whatever is not of the tenant does not exist. Throws an `AppError` of the kind `not_found` or `conflict` for a
   * problem, a `RequestFaultError` for a value that cannot be.
   */
  handle(
    request: RouteRequest<Params, Query, Body>,
    dependencies: RouteDependencies<Manager>,
  ): Promise<Answer>;
}

/** Keeps the types of the schemas while a route is written, and forgets them so that all fit one list. */
export function defineRoute<Manager, Params, Query, Body, Answer>(
  route: DomainRoute<Manager, Params, Query, Body, Answer>,
): DomainRoute<Manager> {
  return route;
}
