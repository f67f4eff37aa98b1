import { request as open, type IncomingMessage } from 'node:http';
import type { SeenAnswer } from '../../support/openapi/answer-validator.js';

/** A request in its sent form. */
export interface WireRequest {
  readonly method: string;
  /** Path with query, in its sent form. */
  readonly path: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Buffer | null;
}

/** The server's answer; of an event stream, only the first piece. */
interface WireAnswer extends SeenAnswer {
  readonly headers: IncomingMessage['headers'];
}

/** Sends a request unchanged and reads the answer, of an event stream only the first piece. Rejects without an answer. */
export function sendRequest(base: string, { method, path, headers, body }: WireRequest): Promise<WireAnswer> {
  const { hostname, port, host } = new URL(base);
  const { promise, resolve, reject } = Promise.withResolvers<WireAnswer>();
  // Without a length, Node.js announces a chunked body even if there is no body.
  const length = ['Content-Length', String(body?.length ?? 0)];
  const request = open(
    { hostname, port, method, path, headers: ['Host', host, ...headers.flat(), ...length], agent: false },
    (message) => {
      readAnswer(message).then(resolve, reject);
    },
  );
  // A server that refuses a long body may close while the body is still being sent; its earlier answer counts.
  request.on('error', reject);
  request.end(body ?? undefined);
  return promise;
}

async function readAnswer(message: IncomingMessage): Promise<WireAnswer> {
  const mediaType = message.headers['content-type']?.split(';', 1)[0]?.trim() ?? null;
  const pieces: Buffer[] = [];
  try {
    for await (const piece of message as AsyncIterable<Buffer>) {
      pieces.push(piece);
      if (mediaType === 'text/event-stream') break;
    }
  } finally {
    message.destroy();
  }
  const text = Buffer.concat(pieces).toString();
  return { status: message.statusCode ?? 0, mediaType, headers: message.headers, text };
}
