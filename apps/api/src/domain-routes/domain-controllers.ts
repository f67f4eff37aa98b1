import {
  applyDecorators,
  Body,
  Controller,
  Delete,
  Get,
  HttpCode,
  Inject,
  Param,
  Patch,
  Post,
  Put,
  Query,
  type Type,
} from '@nestjs/common';
import { ApiResponse, ApiTags } from '@nestjs/swagger';
import { AppError } from '#libs/kernel';
import { SCOPES, type Scope } from '#libs/persistence';
import { RequestFaultError, type DomainCatalogue, type DomainRoute, type NamedSchema } from '#libs/tooling';
import type { EntityManager } from 'typeorm';
import type { z } from 'zod';
import { Answers, Problems, ProblemsOfBody, type ProblemStatus } from '../http/describe-answers.js';
import { Access, Caller, type Principal } from '../http/access.js';
import {
  AnswersLiveVersioned,
  AnswersVersioned,
  ChangesIfMatch,
  ExpectedVersion,
} from '../http/entity-tag.js';
import { InvalidRequestError, pointerTo } from '../http/request-errors.js';
import { createZodDto } from '../http/zod-dto.js';
import { Operation } from '../http/operation.js';
import { toListRoute } from './list-route.js';
import { RouteFacilities } from './route-facilities.js';

type Route = DomainRoute<EntityManager>;

const METHODS = { GET: Get, POST: Post, PUT: Put, PATCH: Patch, DELETE: Delete };
const PARTS = [
  ['params', Param],
  ['query', Query],
  ['body', Body],
] as const;

/** Creates a controller for each route and list of the domains, like a handwritten one. Throws `DOMAIN_INVALID`. */
export function domainControllers({
  routes,
  lists,
}: Pick<DomainCatalogue<EntityManager>, 'routes' | 'lists'>): Type[] {
  return [...routes, ...lists.map(toListRoute)].map(toController);
}

function toController(route: Route): Type {
  const { operation } = route;
  class RouteController {
    constructor(private readonly facilities: RouteFacilities) {}

    async [operation](
      { tenantId, keyId }: Principal,
      expectedVersions: readonly number[] | null,
      ...[params, query, body]: readonly unknown[]
    ): Promise<unknown> {
      const request = { tenantId, keyId, expectedVersions: expectedVersions ?? null, params, query, body };
      const answer = await route.handle(request, this.facilities).catch(withPointers);
      return route.versionOf === undefined ? answer : { view: answer, version: route.versionOf(answer) };
    }
  }
  rename(RouteController, `${operation}Controller`);
  Inject(RouteFacilities)(RouteController, undefined, 0);
  applyDecorators(ApiTags(route.tag), Controller(`api/${route.path}`))(RouteController);
  const { prototype } = RouteController;
  const descriptor = Object.getOwnPropertyDescriptor(prototype, operation);
  applyDecorators(
    METHODS[route.method](),
    Access(knownScope(route)),
    Operation(operation, route.summary, route.description),
    answerOf(route),
    problemsOf(route),
    ...(route.changesIfMatch === true ? [ChangesIfMatch()] : []),
  )(prototype, operation, descriptor);
  readParts(route, prototype);
  return RouteController;
}

/** Sets the parameter metadata that the compiler would emit for decorated parameters. */
function readParts(route: Route, prototype: object): void {
  const { operation } = route;
  const types: unknown[] = [Object, Object];
  Caller()(prototype, operation, 0);
  if (route.changesIfMatch === true) ExpectedVersion()(prototype, operation, 1);
  PARTS.forEach(([part, decorate]) => {
    const dto = partToDto(route, part);
    types.push(dto ?? Object);
    if (dto !== null) decorate()(prototype, operation, types.length - 1);
  });
  Reflect.defineMetadata('design:paramtypes', types, prototype, operation);
}

function answerOf(route: Route): MethodDecorator {
  const { answer } = route;
  if (answer.status === 204) return applyDecorators(HttpCode(answer.status), ApiResponse(answer));
  if (route.versionOf !== undefined && route.showsMoreThanVersion === true)
    return AnswersLiveVersioned(toDto(answer), answer.description);
  const describe = route.versionOf === undefined ? Answers : AnswersVersioned;
  return describe(answer.status, toDto(answer), answer.description);
}

/** Adds JSON pointers to faults, as in the answers of all other routes. */
function withPointers(error: unknown): never {
  if (!(error instanceof RequestFaultError)) throw error;
  const faults = error.faults.map(({ path, detail }) => ({ pointer: pointerTo(path), detail }));
  const kind = error.kind === 'unprocessable' ? 'unprocessable' : 'invalid_input';
  throw new InvalidRequestError(faults, { code: error.code, kind });
}

function partToDto(route: Route, part: (typeof PARTS)[number][0]): object | null {
  if (part === 'body') return route.body === undefined ? null : toDto(route.body);
  const schema = route[part];
  return schema === undefined ? null : rename(createZodDto(schema), `${part}Dto`);
}

function toDto({ name, schema, example }: NamedSchema<unknown>) {
  return rename(createZodDto<z.ZodType>(schema, example), `${name}Dto`);
}

function problemsOf({ params, query, body, problems = [] }: Route): MethodDecorator {
  if (body !== undefined) return ProblemsOfBody(...problems);
  const ofRequest: ProblemStatus[] = params === undefined && query === undefined ? [] : [400];
  return Problems(...ofRequest, ...problems);
}

function knownScope({ operation, scope }: Route): Scope {
  const known = SCOPES.find((candidate) => candidate === scope);
  if (known !== undefined) return known;
  throw new AppError({
    code: 'DOMAIN_INVALID',
    kind: 'internal',
    message: `the route ${operation} asks for the scope "${scope}"; there are ${SCOPES.join(', ')}`,
  });
}

function rename<Class extends object>(constructor: Class, name: string): Class {
  return Object.defineProperty(constructor, 'name', { value: name });
}
