import { request as open, type IncomingMessage } from 'node:http';
import type { SeenAnswer } from '../../support/openapi/judge-answer.js';

/** A request as it goes over the wire. */
export interface WireRequest {
  readonly method: string;
  /** With the query, as it is sent. */
  readonly path: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Buffer | null;
}

/** The answer to it, of an event stream only the beginning. */
interface WireAnswer extends SeenAnswer {
  readonly headers: IncomingMessage['headers'];
}

/** Sends it as it is, and reads the whole answer, of an event stream its first piece. Rejects where none comes. */
export function sendRequest(base: string, { method, path, headers, body }: WireRequest): Promise<WireAnswer> {
  const { hostname, port, host } = new URL(base);
  const { promise, resolve, reject } = Promise.withResolvers<WireAnswer>();
  // Without a length Node announces a body in pieces, also where there is none.
  const length = ['Content-Length', String(body?.length ?? 0)];
  const request = open(
    { hostname, port, method, path, headers: ['Host', host, ...headers.flat(), ...length], agent: false },
    (message) => {
      readAnswer(message).then(resolve, reject);
    },
  );
  // A server that refuses a long body closes while it is still being sent; its answer counts.
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
