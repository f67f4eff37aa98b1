import { connect } from 'node:net';

/** The answers on one connection until the server closed it. */
export interface RawAnswer {
  /** The statuses of all answers in order; empty if the server closed without an answer. */
  readonly statuses: readonly number[];
  readonly text: string;
}

/**
 * Sends bytes that no HTTP client would send, and returns the answers until the server closes the connection.
 * `half`: ends the sending side, as a client does that breaks off.
 */
export async function sendBytes(
  url: string,
  bytes: string | Uint8Array,
  { half = false } = {},
): Promise<RawAnswer> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  const chunks: Buffer[] = [];
  socket.on('data', (chunk) => chunks.push(chunk));
  // A server that rejects the bytes may reset the connection during the write.
  socket.on('error', () => undefined);
  const closed = new Promise((resolve) => socket.once('close', resolve));
  if (half) socket.end(bytes);
  else socket.write(bytes);
  await closed;
  const text = Buffer.concat(chunks).toString('latin1');
  return { text, statuses: [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map((match) => Number(match[1])) };
}
