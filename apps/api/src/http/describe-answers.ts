import { applyDecorators, HttpCode } from '@nestjs/common';
import { ApiHeader, ApiResponse } from '@nestjs/swagger';
import { PROBLEM_MEDIA_TYPE } from '#libs/http-server';
import type { DtoWithExample } from './zod-dto.js';

/** Description of each error status, for the OpenAPI document. */
export const PROBLEMS = {
  400: 'The request is not valid; `errors` names every fault.',
  401: 'There is no valid API key.',
  403: 'The API key lacks the scope, or the request is not of this machine where no key is asked for.',
  404: 'There is no such thing for this tenant.',
  409: 'It is in use, or another request was faster; `code` says which.',
  412: 'It was changed since the version that `If-Match` names; read it again.',
  413: 'The body is longer than 1 MiB, or than 24 MiB where it is a tool server; a file is too long, or the tenant has too many bytes of documents or files.',
  414: 'A part of the path is too long.',
  415: 'The body is not `application/json`, or `multipart/form-data` where a file is sent, or is compressed.',
  422: 'The request is understood and cannot be done; `code` says why.',
  429: 'Too many requests, or too much of this tenant waits already or is kept; try again after `Retry-After`.',
  431: 'The headers are longer than 16 KiB together.',
  500: 'The server failed.',
  503: 'The database, the queue or the store of files cannot be reached, or too much waits; try again after `Retry-After`.',
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
