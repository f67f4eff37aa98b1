import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from '#libs/observability';
import { reportsFailedExecution } from './failed-executions.js';

const HEADER = 'x-request-id';

/** As far as a line of the log says anything of it. */
export type LoggedRequest = Pick<FastifyRequest, 'id' | 'method' | 'originalUrl'>;

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
 * One line per request: method, path, status, time, whether its client was there to the end of the answer, and the
 * execution that was accepted, if any. Never a body, a header of the client's or a query.
 */
export function logAnswers(instance: FastifyInstance, logger: Logger): void {
  instance.addHook('onRequest', (request, reply, done) => {
    // Comes once for every answer: when it was sent, and when its client has gone.
    if (!isProbe(pathOf(request))) reply.raw.once('close', () => logAnswer(logger, request, reply));
    done();
  });
}

function logAnswer(logger: Logger, request: FastifyRequest, { raw, elapsedTime }: FastifyReply): void {
  const level = raw.statusCode >= 500 && !reportsFailedExecution(raw) ? 'error' : 'info';
  if (!logger.isLevelEnabled(level)) return;
  const res = { status: raw.statusCode };
  const described = { req: describeRequest(request), res, responseTime: Math.round(elapsedTime) };
  logger[level](
    { ...described, ...acceptedBy(raw) },
    raw.writableFinished ? 'answered' : 'the client has gone',
  );
}

/** What a line says of the request that it is about. */
export function describeRequest(request: LoggedRequest): { id: string; method: string; path: string } {
  return { id: request.id, method: request.method, path: pathOf(request) };
}

/** Joins the request to the lines of its execution, which the worker writes under the same id. */
function acceptedBy(response: ServerResponse): { readonly executionId?: string } {
  const executionId = accepted.get(response);
  return executionId === undefined ? {} : { executionId };
}

function isProbe(path: string): boolean {
  return path === '/healthz' || path === '/readyz';
}

function pathOf({ originalUrl }: Pick<FastifyRequest, 'originalUrl'>): string {
  return originalUrl.split('?', 1)[0] ?? '';
}
