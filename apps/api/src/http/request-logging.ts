import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { RequestMethod } from '@nestjs/common';
import type { FastifyInstance } from 'fastify';
import type { Params } from 'nestjs-pino';
import { describeError, type Logger } from '#libs/observability';

const HEADER = 'x-request-id';

/** The caller's id of a request where it has one that may stand in a log line, else a fresh one. */
export function requestIdOf(headers: IncomingHttpHeaders): string {
  const given = headers[HEADER];
  return typeof given === 'string' && /^[A-Za-z0-9._-]{1,100}$/.test(given) ? given : randomUUID();
}

/** By the answer: what an answer has in its head cannot be asked of it any more once it is sent. */
const accepted = new WeakMap<ServerResponse, string>();

/** The line of the request that this answers names the execution that it submitted. */
export function noteAccepted(response: ServerResponse, executionId: string): void {
  accepted.set(response, executionId);
}

/** Every answer names its request. */
export function answerRequestIds(instance: FastifyInstance): void {
  instance.addHook('onRequest', (request, reply, done) => {
    void reply.header(HEADER, request.id);
    done();
  });
}

/**
 * One line per answered request: method, path, status, time, and the execution that was accepted, if any. Never a body,
 * a header of the client's or a query.
 */
export function requestLogging(logger: Logger): Params {
  return {
    // The module's own default matches no path under Nest 12.
    forRoutes: [{ path: '*path', method: RequestMethod.ALL }],
    pinoHttp: {
      logger,
      wrapSerializers: false,
      serializers: { req: describeRequest, res: describeResponse, err: describeError },
      customLogLevel: (_request, response) => (response.statusCode >= 500 ? 'error' : 'info'),
      autoLogging: { ignore: (request) => isProbe(pathOf(request)) },
      customSuccessMessage: () => 'answered',
      customSuccessObject: (_request, response, described: object) => ({
        ...described,
        ...acceptedBy(response),
      }),
      customErrorMessage: () => 'answered',
      customErrorObject: (_request, response, _error, described: object) => ({
        ...described,
        ...acceptedBy(response),
        res: response,
        err: undefined,
      }),
    },
  };
}

/** Joins the request to the lines of its execution, which the worker writes under the same id. */
function acceptedBy(response: ServerResponse): { readonly executionId?: string } {
  const executionId = accepted.get(response);
  return executionId === undefined ? {} : { executionId };
}

function isProbe(path: string): boolean {
  return path === '/healthz' || path === '/readyz';
}

/** Middleware sees `url` without the path it is mounted at; `originalUrl` is what the client sent. */
function pathOf(request: IncomingMessage): string {
  const url = 'originalUrl' in request ? String(request.originalUrl) : (request.url ?? '');
  return url.split('?', 1)[0] ?? '';
}

function describeRequest(request: IncomingMessage): object {
  return { id: request.id, method: request.method, path: pathOf(request) };
}

function describeResponse(response: ServerResponse): object {
  return { status: response.statusCode };
}
