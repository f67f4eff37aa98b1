import type { z } from 'zod';
import type { RouteDependencies } from './domain-dependencies.js';

/**
 * A request; `params`, `query` and `body` are validated, and each is undefined if the route declares no schema for it.
 */
export interface RouteRequest<Params, Query, Body> {
  readonly tenantId: string;
  /** Public part of the API key; null if the route needs no key. */
  readonly keyId: string | null;
  /** Versions named by `If-Match`; null if any version is acceptable, or the route does not support the header. */
  readonly expectedVersions: readonly number[] | null;
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
}

/** A schema with its name in the OpenAPI document. */
export interface NamedSchema<Value> {
  readonly name: string;
  readonly schema: z.ZodType<Value>;
  /** Example shown in the OpenAPI document. */
  readonly example: Value;
}

/** A successful response; 204 has no body. */
export type RouteAnswer<Answer> =
  | (NamedSchema<Answer> & { readonly status: 200 | 201 | 202; readonly description: string })
  | { readonly status: 204; readonly description: string };

/**
 * An endpoint of a domain, described as data: the API derives the controller, the OpenAPI operation, validation,
 * authentication and limits from it. Schemas validate the request; `answer` documents the response.
 */
export interface DomainRoute<
  Manager = unknown,
  Params = unknown,
  Query = unknown,
  Body = unknown,
  Answer = unknown,
> {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Path below `/api/`, without leading or trailing slash, e.g. `parcels/:id`. */
  readonly path: string;
  /** `operationId` in the OpenAPI document, e.g. `getParcel`; generated clients derive method names from it. */
  readonly operation: string;
  /** Groups operations in the OpenAPI document. */
  readonly tag: string;
  /** One line without a full stop. */
  readonly summary: string;
  /** Details for API users, in full sentences. */
  readonly description: string;
  /** API key scope required, e.g. `executions:read`. */
  readonly scope: string;
  readonly params?: z.ZodType<Params>;
  readonly query?: z.ZodType<Query>;
  readonly body?: NamedSchema<Body>;
  readonly answer: RouteAnswer<Answer>;
  /** Version of the answered resource, sent as its `ETag`. */
  versionOf?(answer: Answer): number;
  /**
   * The answer also shows data that its version does not cover, such as names of other resources: the `ETag` then also
   * depends on the answer itself.
   */
  readonly showsMoreThanVersion?: boolean;
  /**
   * Accepts `If-Match`; the handler throws an `AppError` of kind `precondition_failed` if no given version is current.
   */
  readonly changesIfMatch?: boolean;
  /** Error statuses beside those common to all routes, and beside 400 for routes that read input. */
  readonly problems?: readonly (404 | 409 | 422)[];
  /**
   * Resources of other tenants count as absent. Throws an `AppError` of kind `not_found` or `conflict` for a problem,
   * and a `RequestFaultError` for an invalid value.
   */
  handle(
    request: RouteRequest<Params, Query, Body>,
    dependencies: RouteDependencies<Manager>,
  ): Promise<Answer>;
}
