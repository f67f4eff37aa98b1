import { randomUUID } from 'node:crypto';
import { fastify, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { answerProtocolFault } from './answer-protocol-fault.js';
import { GUARDED_SERVER, guardProtocol } from './guard-protocol.js';
import { PROTOCOL_FAULTS, type ProtocolFaultStatus } from './protocol-faults.js';

/**
 * Creates a server for a few routes without a framework, e.g. health checks. Every error is a problem without details
 * of the exception. Closing it ends every connection.
 */
export function createPlainServer(): FastifyInstance {
  const instance = fastify({
    ...GUARDED_SERVER,
    routerOptions: { ignoreTrailingSlash: true },
    forceCloseConnections: true,
    genReqId: () => randomUUID(),
    requestIdHeader: false,
    frameworkErrors: answerError,
  });
  guardProtocol(instance);
  // No route reads a body, so its content type is not checked.
  instance.removeAllContentTypeParsers();
  instance.setErrorHandler(answerError);
  instance.setNotFoundHandler((request, reply) => answerProtocolFault(404, request, reply));
  return instance;
}

function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const status = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500;
  answerProtocolFault(isProtocolFault(status) ? status : 500, request, reply);
}

function isProtocolFault(status: number): status is ProtocolFaultStatus {
  return status in PROTOCOL_FAULTS;
}
