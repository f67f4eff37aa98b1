import { connect } from 'node:net';

/** What one connection was answered before the server ended it. */
export interface RawAnswer {
  /** Of every answer on the connection, in order; none where it was closed without an answer. */
  readonly statuses: readonly number[];
  readonly text: string;
}

/**
 * Sends bytes that no HTTP client would and answers what came back until the server closed the connection.
 * `half`: says that no more will come, as a client does that breaks off.
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
  // A server that hangs up on garbage may reset the connection while we still write.
  socket.on('error', () => undefined);
  const closed = new Promise((resolve) => socket.once('close', resolve));
  if (half) socket.end(bytes);
  else socket.write(bytes);
  await closed;
  const text = Buffer.concat(chunks).toString('latin1');
  return { text, statuses: [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map((match) => Number(match[1])) };
}
