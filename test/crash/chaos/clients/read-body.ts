import type { IncomingMessage } from 'node:http';

/** Reads a request's body as text; if the client breaks off, the part that had arrived. */
export async function readBody(request: IncomingMessage): Promise<string> {
  let body = '';
  request.setEncoding('utf8');
  try {
    for await (const text of request) body += String(text);
  } catch {
    // The client was killed while it sent.
  }
  return body;
}
