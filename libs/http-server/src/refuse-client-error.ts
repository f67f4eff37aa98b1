import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { PROBLEM_MEDIA_TYPE, protocolProblem, type ProtocolFaultStatus } from './protocol-faults.js';

/** How long a client may go on sending what nobody reads any more, so that it gets to read why. */
const LINGER_MS = 1_000;

const STATUS_OF_CODE: Readonly<Record<string, ProtocolFaultStatus>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 408,
  HPE_HEADER_OVERFLOW: 431,
};

/**
 * Answers bytes that are no request with a problem and hangs up. `isAnswering`: whether an answer is on its way on this
 * connection; ours would be read as that one, so the connection only ends.
 */
export function refuseClientError(
  error: Error & { readonly code?: string },
  socket: Socket,
  isAnswering: boolean,
): void {
  if (isAnswering || error.code === 'ECONNRESET') return void socket.destroy();
  // The bytes behind those that were refused come here again, one piece after the other.
  if (socket.writableEnded) return;
  if (!socket.writable) return void socket.destroy();
  socket.setTimeout(LINGER_MS, () => socket.destroy());
  socket.end(refusal(STATUS_OF_CODE[error.code ?? ''] ?? 400));
}

function refusal(status: ProtocolFaultStatus): string {
  const requestId = randomUUID();
  const body = protocolProblem(status, requestId);
  return [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    `content-type: ${PROBLEM_MEDIA_TYPE}; charset=utf-8`,
    `content-length: ${body.length}`,
    `x-request-id: ${requestId}`,
    'connection: close',
    '',
    body,
  ].join('\r\n');
}
