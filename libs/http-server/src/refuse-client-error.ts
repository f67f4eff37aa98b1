import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { PROBLEM_MEDIA_TYPE, protocolProblem, type ProtocolFaultStatus } from './protocol-faults.js';

/**
 * Milliseconds that a client may keep sending unread bytes, so that it can read the response before the connection
 * closes.
 */
const LINGER_MS = 1_000;

const STATUS_OF_CODE: Readonly<Record<string, ProtocolFaultStatus>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 408,
  HPE_HEADER_OVERFLOW: 431,
};

/**
 * Responds to malformed bytes with a problem and closes the connection. `isAnswering`: a response has begun on this
 * connection. The problem would be read as part of it, so the connection is only closed.
 */
export function refuseClientError(
  error: Error & { readonly code?: string },
  socket: Socket,
  isAnswering: boolean,
): void {
  if (isAnswering || error.code === 'ECONNRESET') return void socket.destroy();
  // Further bytes after the malformed ones arrive here again, chunk by chunk.
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
