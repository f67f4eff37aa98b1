import { STATUS_CODES } from 'node:http';
import type { OpenAPIObject } from '@nestjs/swagger';
import { ERROR_CATALOGUE } from '#libs/kernel';
import { PROBLEM_MEDIA_TYPE } from '#libs/http-server';
import { PROBLEMS, type ProblemStatus } from '../http/describe-answers.js';
import type { Problem } from '../http/problem.js';

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;
const RETRY_AFTER = {
  'Retry-After': {
    description: 'Seconds to wait before a retry.',
    schema: { type: 'integer', minimum: 1 },
  },
} as const;

const SHOULD_RETRY = {
  'x-should-retry': {
    description: '`false` if an awaited execution failed: repeating the request would run it again.',
    schema: { type: 'string' as const, enum: ['false'] },
  },
};

/** Error code in the example of each status. */
const EXAMPLES: Readonly<Record<ProblemStatus, keyof typeof ERROR_CATALOGUE>> = {
  400: 'VALIDATION_ERROR',
  401: 'UNAUTHENTICATED',
  403: 'INSUFFICIENT_SCOPE',
  404: 'NOT_FOUND',
  409: 'CONVERSATION_LOCKED',
  412: 'VERSION_CHANGED',
  413: 'BODY_TOO_LARGE',
  414: 'PATH_TOO_LONG',
  415: 'UNSUPPORTED_MEDIA_TYPE',
  422: 'IDEMPOTENCY_KEY_REUSED',
  429: 'RATE_LIMITED',
  431: 'HEADERS_TOO_LARGE',
  500: 'INTERNAL_ERROR',
  503: 'DATABASE_UNAVAILABLE',
};

/**
 * Moves problems to shared responses, and adds those that the server answers before routing: any request may have a body,
 * long headers or a long id.
 */
export function withProblems(document: OpenAPIObject): OpenAPIObject {
  const statuses = Object.keys(PROBLEMS).map((status) => Number(status) as ProblemStatus);
  for (const [path, item] of Object.entries(document.paths)) {
    for (const method of METHODS) {
      const answers = item[method]?.responses;
      if (answers === undefined) continue;
      const ofServer = serverProblems(method, path);
      for (const status of statuses)
        if (status in answers || ofServer.includes(status))
          answers[status] = { $ref: `#/components/responses/${responseName(status)}` };
    }
  }
  const responses = Object.fromEntries(statuses.map((status) => [responseName(status), toResponse(status)]));
  return { ...document, components: { ...document.components, responses } };
}

function serverProblems(method: (typeof METHODS)[number], path: string): ProblemStatus[] {
  return [
    431,
    ...(path.includes('{') ? [414 as const] : []),
    ...(method === 'get' ? [] : ([400, 413, 415] as const)),
  ];
}

/** Name of a shared response, e.g. `NotFound`. */
function responseName(status: ProblemStatus): string {
  return (STATUS_CODES[status] ?? '').replaceAll(/[^A-Za-z]/g, '');
}

function toResponse(status: ProblemStatus) {
  const description = PROBLEMS[status];
  const content = {
    [PROBLEM_MEDIA_TYPE]: { schema: { $ref: '#/components/schemas/Problem' }, example: exampleOf(status) },
  };
  return { description, ...headersOf(status), content };
}

function headersOf(status: ProblemStatus) {
  if (status === 500) return { headers: SHOULD_RETRY };
  return [429, 503].includes(status) ? { headers: RETRY_AFTER } : {};
}

function exampleOf(status: ProblemStatus): Problem {
  const code = EXAMPLES[status];
  return {
    type: 'about:blank',
    title: STATUS_CODES[status] ?? '',
    status,
    detail: ERROR_CATALOGUE[code].meaning,
    code,
    request_id: '01980a5e-7c1f-7d3a-9c55-2f6f0b6a4e01',
    ...(status === 400 && { errors: [{ pointer: '#/input', detail: 'input is required' }] }),
  };
}
