import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { PROBLEM_MEDIA_TYPE, protocolProblem, type ProtocolFaultStatus } from './protocol-faults.js';

/**
 * Rejects a request that is still arriving and closes the connection, since the rest would be read as the next request.
 */
export function endWithFault(response: ServerResponse, status: ProtocolFaultStatus): void {
  const requestId = randomUUID();
  response.writeHead(status, {
    'content-type': `${PROBLEM_MEDIA_TYPE}; charset=utf-8`,
    'x-request-id': requestId,
    connection: 'close',
  });
  response.end(protocolProblem(status, requestId));
}
