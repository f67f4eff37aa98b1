import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyHttpOptions } from 'fastify';
import { systemClock } from '#libs/kernel';
import { answerProtocolFault } from './answer-protocol-fault.js';
import { ARRIVAL_MS, BodyArrivals } from './body-arrivals.js';
import { endWithFault } from './end-with-fault.js';
import { refuseClientError } from './refuse-client-error.js';
import { whenClosed } from './when-closed.js';

/** Milliseconds between checks of arrival times, i.e. the most by which a body can exceed its limit. */
const SWEEP_EVERY_MS = 5_000;

/** Number of incomplete responses per connection. */
const unanswered = new WeakMap<Socket, number>();

/** Options of every HTTP server of the service; {@link guardProtocol} does the rest. */
export const GUARDED_SERVER: Pick<
  FastifyHttpOptions<Server>,
  'requestTimeout' | 'clientErrorHandler' | 'http'
> = {
  // `headersTimeout` bounds headers; `guardProtocol` bounds bodies.
  requestTimeout: 0,
  // Node's own response has no body; the service sends a problem instead.
  http: { requireHostHeader: false, headersTimeout: ARRIVAL_MS },
  clientErrorHandler: (error, socket) => refuseClientError(error, socket, (unanswered.get(socket) ?? 0) > 0),
};

/**
 * Protects a server against arbitrary bytes: malformed HTTP gets a problem or a closed connection, and an `Expect`
 * other than `100-continue` gets 417. `100 Continue` is sent only after the `onRequest` hooks admitted the request. A
 * body arrives within {@link ARRIVAL_MS}, or within `longestArrivalMs` on routes that accept files. Call it before any
 * other hook is added.
 */
export function guardProtocol(instance: FastifyInstance, arrivals = new BodyArrivals(systemClock)): void {
  const server: Server = instance.server;
  server.prependListener('request', (request, response) => {
    countAnswer(request, response);
    arrivals.watch(request, response);
  });
  const sweeping = setInterval(() => arrivals.sweep(), SWEEP_EVERY_MS).unref();
  server.once('close', () => clearInterval(sweeping));
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) =>
    server.emit('request', request, response),
  );
  server.on('checkExpectation', refuseExpectation);
  instance.addHook('onRequest', (request, reply, done) => {
    if (isHostUnclear(request.raw)) answerProtocolFault(400, request, reply);
    else done();
  });
  instance.addHook('preParsing', (request, reply, _payload, done) => {
    // Node accepts only `100-continue` here; `refuseExpectation` handles other values.
    if (request.headers.expect !== undefined) reply.raw.writeContinue();
    done();
  });
}

function countAnswer({ socket }: IncomingMessage, response: ServerResponse): void {
  unanswered.set(socket, (unanswered.get(socket) ?? 0) + 1);
  whenClosed(response, () => unanswered.set(socket, (unanswered.get(socket) ?? 1) - 1));
}

/**
 * From HTTP/1.1 on a request has exactly one `Host`. With several (RFC 9112, 3.2), a proxy may have checked another one
 * than the service, since Node keeps the first and drops the others.
 */
function isHostUnclear({ rawHeaders, httpVersion }: IncomingMessage): boolean {
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) if (rawHeaders[at]?.toLowerCase() === 'host') hosts += 1;
  return hosts > 1 || (hosts === 0 && httpVersion === '1.1');
}

function refuseExpectation(_request: IncomingMessage, response: ServerResponse): void {
  endWithFault(response, 417);
}
