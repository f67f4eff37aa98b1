import { STATUS_CODES } from 'node:http';
import { Catch, Inject, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { PROBLEM_MEDIA_TYPE } from '#libs/http-server';
import { AppError, type ErrorKind } from '#libs/kernel';
import type { Logger } from '#libs/observability';
import { classifyDatabaseError, type DatabaseFailure } from '#libs/persistence';
import { API_LOGGER } from '../api.tokens.js';
import { noteExecutionFailed } from './failed-executions.js';
import { readFrameworkFault, type Fault } from './framework-fault.js';
import type { Problem } from './problem.js';
import {
  ExecutionFailedError,
  InvalidRequestError,
  RetryLaterError,
  UnauthenticatedError,
} from './request-errors.js';
import { describeRequest, type LoggedRequest } from './request-logging.js';

/** Maps error kinds to HTTP statuses, for all routes. */
export const STATUS_OF_KIND: Readonly<Record<ErrorKind, number>> = {
  invalid_input: 400,
  unauthenticated: 401,
  denied: 403,
  not_found: 404,
  conflict: 409,
  precondition_failed: 412,
  too_large: 413,
  unprocessable: 422,
  limit_exceeded: 429,
  internal: 500,
  // Only workers hold leases; in a request it is a bug of the server.
  lease_lost: 500,
  unavailable: 503,
  timeout: 504,
};

const RETRY_AFTER_SECONDS = '2';
const HEADERS_OF_STATUS: Readonly<Record<number, Readonly<Record<string, string>>>> = {
  429: { 'Retry-After': RETRY_AFTER_SECONDS },
  503: { 'Retry-After': RETRY_AFTER_SECONDS },
  504: { 'Retry-After': RETRY_AFTER_SECONDS },
};

const HEADERS_OF_CODE: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  INSUFFICIENT_SCOPE: { 'WWW-Authenticate': 'Bearer realm="capstan", error="insufficient_scope"' },
  // Prevents clients from retrying at once, which would meet the same conflict.
  CONVERSATION_LOCKED: { 'Retry-After': '5', 'x-should-retry': 'false' },
};

const FAULT_OF_DATABASE_FAILURE: Readonly<Record<DatabaseFailure['kind'], Fault>> = {
  outage: {
    status: 503,
    code: 'DATABASE_UNAVAILABLE',
    detail: 'the database is not reachable at the moment; try again later',
  },
  contention: {
    status: 503,
    code: 'DATABASE_BUSY',
    detail: 'the request waited too long for a lock in the database; try again later',
  },
  ours: {
    status: 500,
    code: 'INTERNAL_ERROR',
    detail: 'the service failed unexpectedly; report it with the request id',
  },
};

/** Describes any error as a problem. Only the text of an `AppError` is public; other texts stay on the server. */
export function toProblem(error: unknown, requestId: string): Problem {
  const { status, code, detail } = toFault(error);
  const errors = error instanceof InvalidRequestError ? { errors: [...error.errors] } : {};
  const execution = error instanceof ExecutionFailedError ? { execution_id: error.executionId } : {};
  const title = STATUS_CODES[status] ?? 'Error';
  return {
    ...{ type: 'about:blank', title, status, detail, code, request_id: requestId },
    ...{ ...errors, ...execution },
  };
}

function toFault(error: unknown): Fault {
  if (error instanceof AppError) {
    return { status: STATUS_OF_KIND[error.kind], code: error.code, detail: error.message };
  }
  return readFrameworkFault(error) ?? FAULT_OF_DATABASE_FAILURE[classifyDatabaseError(error).kind];
}

/** Answers every error as `application/problem+json`, and logs server errors, except failed executions. */
@Catch()
export class ProblemDetailsFilter implements ExceptionFilter {
  constructor(
    private readonly adapterHost: HttpAdapterHost,
    @Inject(API_LOGGER) private readonly logger: Pick<Logger, 'error'>,
  ) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const { httpAdapter } = this.adapterHost;
    const response = http.getResponse<object>();
    const request = http.getRequest<LoggedRequest>();
    const problem = toProblem(error, request.id);
    if (error instanceof ExecutionFailedError) noteExecutionFailed(http.getResponse<FastifyReply>().raw);
    else if (problem.status >= 500) {
      const { code } = problem;
      this.logger.error({ req: describeRequest(request), err: error, code }, 'the request failed');
    }
    // The stream has started, so no status can be sent.
    if (httpAdapter.isHeadersSent(response)) return;
    const headers = {
      'Content-Type': PROBLEM_MEDIA_TYPE,
      ...HEADERS_OF_STATUS[problem.status],
      ...HEADERS_OF_CODE[problem.code],
      ...(error instanceof UnauthenticatedError && { 'WWW-Authenticate': error.challenge }),
      // Prevents clients from retrying, which would run the work again.
      ...(error instanceof ExecutionFailedError && { 'x-should-retry': 'false' }),
      ...(error instanceof RetryLaterError && { 'Retry-After': String(error.retryAfterSeconds) }),
    };
    for (const [name, value] of Object.entries(headers)) httpAdapter.setHeader(response, name, value);
    httpAdapter.reply(response, problem, problem.status);
  }
}

/** Answers a path that the router cannot parse: it refuses before routes, hooks and filters. */
export function answerRouterFault(error: Error, request: FastifyRequest, reply: FastifyReply): void {
  const problem = toProblem(error, request.id);
  void reply.status(problem.status).header('Content-Type', PROBLEM_MEDIA_TYPE).send(problem);
}
