import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { whenClosed } from '#libs/http-server';
import type { Logger } from '#libs/observability';
import { reportsFailedExecution } from './failed-executions.js';

const HEADER = 'x-request-id';

/** The parts of a request that a log line contains. */
export type LoggedRequest = Pick<FastifyRequest, 'id' | 'method' | 'originalUrl'>;

/** The client's request id if it is safe to log, otherwise a new one. */
export function requestIdOf(headers: IncomingHttpHeaders): string {
  const given = headers[HEADER];
  return typeof given === 'string' && /^[A-Za-z0-9._-]{1,100}$/.test(given) ? given : randomUUID();
}

/** Keyed by response, since its headers can no longer be read once they are sent. */
const accepted = new WeakMap<ServerResponse, string>();

/** Adds the id of the accepted execution to the log line of this response. */
export function noteAccepted(response: ServerResponse, executionId: string): void {
  accepted.set(response, executionId);
}

/** Sends the request id with every answer. */
export function answerRequestIds(instance: FastifyInstance): void {
  instance.addHook('onRequest', (request, reply, done) => {
    void reply.header(HEADER, request.id);
    done();
  });
}

/**
 * Logs one line for each request: method, path, status, time, whether the client stayed to the end, and the accepted
 * execution. Bodies, client headers and queries are never logged.
 */
export function logAnswers(instance: FastifyInstance, logger: Logger): void {
  instance.addHook('onRequest', (request, reply, done) => {
    if (!isProbe(pathOf(request))) whenClosed(reply.raw, () => logAnswer(logger, request, reply));
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

/** Request fields of a log line. */
export function describeRequest(request: LoggedRequest): { id: string; method: string; path: string } {
  return { id: request.id, method: request.method, path: pathOf(request) };
}

/** Links the log line of the request to those of the execution, which a worker writes. */
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
