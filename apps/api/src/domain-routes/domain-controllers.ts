import {
  applyDecorators,
  Body,
  Controller,
  Delete,
  Get,
  Inject,
  Param,
  Patch,
  Post,
  Put,
  Query,
  type Type,
} from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { AppError } from '#libs/kernel';
import { SCOPES, type Scope } from '#libs/persistence';
import type { DomainCatalogue, DomainRoute, NamedSchema } from '#libs/tooling';
import { DataSource, type EntityManager } from 'typeorm';
import type { z } from 'zod';
import { Answers, Problems, ProblemsOfBody, type ProblemStatus } from '../http/describe-answers.js';
import { Access, Tenant } from '../http/access.js';
import { createZodDto } from '../http/zod-dto.js';
import { Operation } from '../http/operation.js';
import { toListRoute } from './list-route.js';

type Route = DomainRoute<EntityManager>;

const METHODS = { GET: Get, POST: Post, PUT: Put, PATCH: Patch, DELETE: Delete };
const PARTS = [
  ['params', Param],
  ['query', Query],
  ['body', Body],
] as const;

/** A controller for every route and list that domains add, like those that are written by hand. Throws `DOMAIN_INVALID`. */
export function domainControllers({
  routes,
  lists,
}: Pick<DomainCatalogue<EntityManager>, 'routes' | 'lists'>): Type[] {
  return [...routes, ...lists.map(toListRoute)].map(toController);
}

function toController(route: Route): Type {
  const { operation } = route;
  class RouteController {
    constructor(private readonly dataSource: DataSource) {}

    [operation](tenantId: string, params: unknown, query: unknown, body: unknown): Promise<unknown> {
      return route.handle({ tenantId, params, query, body }, { manager: this.dataSource.manager });
    }
  }
  rename(RouteController, `${operation}Controller`);
  Inject(DataSource)(RouteController, undefined, 0);
  applyDecorators(ApiTags(route.tag), Controller(`api/${route.path}`))(RouteController);
  const { prototype } = RouteController;
  const descriptor = Object.getOwnPropertyDescriptor(prototype, operation);
  applyDecorators(
    METHODS[route.method](),
    Access(knownScope(route)),
    Operation(operation, route.summary, route.description),
    Answers(route.answer.status, toDto(route.answer), route.answer.description),
    problemsOf(route),
  )(prototype, operation, descriptor);
  readParts(route, prototype);
  return RouteController;
}

/** As the compiler would write it for decorated parameters: their kinds, and the types that the request is parsed by. */
function readParts(route: Route, prototype: object): void {
  const { operation } = route;
  const types: unknown[] = [String];
  Tenant()(prototype, operation, 0);
  PARTS.forEach(([part, decorate], index) => {
    const dto = partToDto(route, part);
    types.push(dto ?? Object);
    if (dto !== null) decorate()(prototype, operation, index + 1);
  });
  Reflect.defineMetadata('design:paramtypes', types, prototype, operation);
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
