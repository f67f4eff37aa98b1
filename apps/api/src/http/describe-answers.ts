import { applyDecorators, HttpCode } from '@nestjs/common';
import { ApiHeader, ApiResponse } from '@nestjs/swagger';
import { PROBLEM_MEDIA_TYPE } from '#libs/http-server';
import type { DtoWithExample } from './zod-dto.js';

/** Description of each error status, for the OpenAPI document. */
export const PROBLEMS = {
  400: 'The request is not valid; `errors` names every fault.',
  401: 'The API key is missing or not valid.',
  403: 'The API key lacks the scope. With `AUTH=off`: the request comes from another machine.',
  404: 'The tenant has no resource with this id.',
  409: 'The resource is in use, or was changed by another request; `code` says which.',
  412: 'The resource is not as `If-Match` or `If-None-Match` asks; read it again.',
  413: 'The body exceeds 1 MiB (24 MiB for a tool server), a file exceeds its own limit, or the tenant has reached its maximum of stored bytes.',
  414: 'A segment of the path is too long.',
  415: 'The body is not `application/json` (`multipart/form-data` for a file), or is compressed.',
  422: 'The request is well-formed but cannot be carried out; `code` says why.',
  429: 'Too many requests, or the tenant has reached a limit; retry after `Retry-After` seconds.',
  431: 'The headers exceed 16 KiB in total.',
  500: 'The service failed unexpectedly.',
  503: 'The database, the queue or the store of files cannot be reached, or the backlog is full; retry after `Retry-After` seconds.',
} as const;
export type ProblemStatus = keyof typeof PROBLEMS;

const ALWAYS: readonly ProblemStatus[] = [401, 403, 429, 500, 503];
const WITH_BODY: readonly ProblemStatus[] = [400, 413, 415];

export type DescribedHeaders = Readonly<Record<string, { description: string; schema: { type: 'string' } }>>;

/** Documents the status and body of a success. */
export function Answers(
  status: number,
  type: DtoWithExample,
  description: string,
  headers: DescribedHeaders = {},
): MethodDecorator {
  return applyDecorators(HttpCode(status), ApiResponse({ status, type: type.Output, description, headers }));
}

/** Documents the problems of a route, besides those common to all. */
export function Problems(...statuses: ProblemStatus[]): MethodDecorator {
  const all = [...new Set([...statuses, ...ALWAYS])].sort((a, b) => a - b);
  return applyDecorators(...all.map(describeProblem));
}

/** Documents the only problems of a public route. */
export function OpenProblems(...statuses: ProblemStatus[]): MethodDecorator {
  return applyDecorators(...statuses.map(describeProblem));
}

/** Documents the problems of a route that reads a body. */
export function ProblemsOfBody(...statuses: ProblemStatus[]): MethodDecorator {
  return Problems(...WITH_BODY, ...statuses);
}

/** A problem as an answer in the OpenAPI document. */
function problemAnswer(status: ProblemStatus) {
  const schema = { $ref: '#/components/schemas/Problem' };
  return { description: PROBLEMS[status], content: { [PROBLEM_MEDIA_TYPE]: { schema } } };
}

function describeProblem(status: ProblemStatus): MethodDecorator {
  return ApiResponse({ status, ...problemAnswer(status) });
}

/** Documents an optional request header. */
export function OptionalHeader(name: string, description: string): MethodDecorator {
  return ApiHeader({ name, description, required: false, schema: { type: 'string' } });
}
