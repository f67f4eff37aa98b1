import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyInstance } from 'fastify';

const HEADER = 'x-request-id';

/** The caller's id of a request where it has one that may stand in a log line, else a fresh one. */
export function requestIdOf(headers: IncomingHttpHeaders): string {
  const given = headers[HEADER];
  return typeof given === 'string' && /^[A-Za-z0-9._-]{1,100}$/.test(given) ? given : randomUUID();
}

/** Every answer names its request. */
export function answerRequestIds(instance: FastifyInstance): void {
  instance.addHook('onRequest', (request, reply, done) => {
    void reply.header(HEADER, request.id);
    done();
  });
}
