import type { IncomingMessage } from 'node:http';

/** What a client sent, as text; what had come by then when it broke off. */
export async function readBody(request: IncomingMessage): Promise<string> {
  let body = '';
  request.setEncoding('utf8');
  try {
    for await (const text of request) body += String(text);
  } catch {
    // The sender was killed meanwhile.
  }
  return body;
}
