import type { FastifyReply, FastifyRequest } from 'fastify';
import { PROBLEM_MEDIA_TYPE, protocolProblem, type ProtocolFaultStatus } from './protocol-faults.js';

/** Sends a problem response for a request that fastify parsed but no handler serves. */
export function answerProtocolFault(
  status: ProtocolFaultStatus,
  { id }: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  return reply
    .status(status)
    .header('content-type', `${PROBLEM_MEDIA_TYPE}; charset=utf-8`)
    .header('x-request-id', id)
    .send(protocolProblem(status, id));
}
