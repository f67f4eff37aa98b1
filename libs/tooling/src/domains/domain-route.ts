import type { Route, RouteRequest } from '#libs/kit';
import type { RouteDependencies } from './domain-dependencies.js';

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
> extends Omit<Route<Params, Query, Body, Answer>, 'handle'> {
  /**
   * Resources of other tenants count as absent. Throws an `AppError` of kind `not_found`, `conflict` or
   * `precondition_failed` (no version of `If-Match` is current), and a `RequestFaultError` for an invalid value.
   */
  handle(
    request: RouteRequest<Params, Query, Body>,
    dependencies: RouteDependencies<Manager>,
  ): Promise<Answer>;
}
