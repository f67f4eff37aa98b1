import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyHttpOptions } from 'fastify';
import { systemClock } from '#libs/kernel';
import { answerProtocolFault } from './answer-protocol-fault.js';
import { ARRIVAL_MS } from './body-arrival.js';
import { BodyArrivals } from './body-arrivals.js';
import { endWithFault } from './end-with-fault.js';
import { refuseClientError } from './refuse-client-error.js';
import { whenClosed } from './when-closed.js';

/** So much longer than it may a body can take. */
const SWEEP_EVERY_MS = 5_000;

/** Answers that are not complete yet, by connection. */
const unanswered = new WeakMap<Socket, number>();

/** Options of every HTTP server of the service; {@link guardProtocol} does the rest. */
export const GUARDED_SERVER: Pick<
  FastifyHttpOptions<Server>,
  'requestTimeout' | 'clientErrorHandler' | 'http'
> = {
  // Of headers; bodies are watched below.
  requestTimeout: 0,
  // Node's own answer has no body; ours is a problem.
  http: { requireHostHeader: false, headersTimeout: ARRIVAL_MS },
  clientErrorHandler: (error, socket) => refuseClientError(error, socket, (unanswered.get(socket) ?? 0) > 0),
};

/**
 * Lets any bytes come to a server without harm: what is not HTTP is answered by a problem or a closed connection,
 * `Expect` with something else than `100-continue` by 417, and a client that asks before it sends its body hears that it
 * may only when the hooks `onRequest` have let it in. A body arrives within {@link ARRIVAL_MS}, or as `isTooSlow` says
 * where its route takes files. Call it before any other hook is added.
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
    // A header that Node has judged: any other value is refused below.
    if (request.headers.expect !== undefined) reply.raw.writeContinue();
    done();
  });
}

function countAnswer({ socket }: IncomingMessage, response: ServerResponse): void {
  unanswered.set(socket, (unanswered.get(socket) ?? 0) + 1);
  whenClosed(response, () => unanswered.set(socket, (unanswered.get(socket) ?? 1) - 1));
}

/**
 * A request names one host, from HTTP/1.1 on; where it names several (RFC 9112, 3.2), what stands before this server
 * may have judged another one than we would. Node keeps the first and forgets the others.
 */
function isHostUnclear({ rawHeaders, httpVersion }: IncomingMessage): boolean {
  const hosts = rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === 'host').length;
  return hosts > 1 || (hosts === 0 && httpVersion === '1.1');
}

function refuseExpectation(_request: IncomingMessage, response: ServerResponse): void {
  endWithFault(response, 417);
}
