import { pipeline, type Readable, type Transform } from 'node:stream';
import {
  constants,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createZstdDecompress,
} from 'node:zlib';
import type { ClientOptions } from 'openai';
import { type Dispatcher, request } from 'undici';
import { boundBody } from './bounded-body.js';
import type { ClientConnection } from './connection.js';
import { readErrorBody } from './error-words.js';
import { HttpAnswer } from './http-answer.js';

/** Statuses without a body, regardless of the headers. */
const WITHOUT_BODY = new Set([204, 205, 304]);

/**
 * `fetch` for the official client, on undici's `request`: follows no redirects and creates no web streams. The client
 * only sends URLs and text bodies.
 */
export function sendThrough(
  dispatcher: Dispatcher,
  sign?: ClientConnection['sign'],
): NonNullable<ClientOptions['fetch']> {
  return async (url, { method = 'GET', headers: given, body: sent, signal } = {}) => {
    const address = url instanceof Request ? url.url : String(url);
    const body = typeof sent === 'string' ? sent : null;
    const headers = Object.fromEntries(new Headers(given));
    const signed = await sign?.({ method, url: address, headers, body });
    const answer = await request(address, {
      ...{ method, body, dispatcher },
      headers: signed ?? headers,
      signal: signal ?? null,
    });
    const received = receive(address, answer);
    return (received.ok ? received : withErrorObject(received)).asResponse();
  };
}

/** The client reads only `error` of an error body, so other formats are converted. */
function withErrorObject({ url, status, headers, body }: HttpAnswer): HttpAnswer {
  const rewritten = async function* (): AsyncGenerator<Uint8Array> {
    const text = await new HttpAnswer(url, status, headers, body).text().catch(() => '');
    yield Buffer.from(JSON.stringify({ error: readErrorBody(text, headers) }));
  };
  return new HttpAnswer(url, status, headers, rewritten());
}

/** Converts a response: decodes its body and limits its size. */
export function receive(
  url: string,
  { statusCode, headers: received, body }: Dispatcher.ResponseData,
): HttpAnswer {
  const headers = readHeaders(received);
  if (WITHOUT_BODY.has(statusCode)) return new HttpAnswer(url, statusCode, headers, null);
  const unpacked = unpackBody(body, headers.get('content-encoding'));
  return new HttpAnswer(url, statusCode, headers, boundBody(unpacked, isOnePiece(headers)));
}

function readHeaders(received: Dispatcher.ResponseData['headers']): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(received)) {
    for (const one of [value ?? []].flat()) headers.append(name, one);
  }
  return headers;
}

/** True for a body without lines: JSON, or binary frames. */
function isOnePiece(headers: Headers): boolean {
  const type = (headers.get('content-type') ?? '').toLowerCase();
  return type.includes('json') || type.includes('vnd.amazon.eventstream');
}

/** Flushes after every chunk: an event must not wait in the decompressor for the next one. */
const AT_ONCE = { flush: constants.Z_SYNC_FLUSH, finishFlush: constants.Z_SYNC_FLUSH };

const UNPACKERS: Readonly<Record<string, () => Transform>> = {
  gzip: () => createGunzip(AT_ONCE),
  'x-gzip': () => createGunzip(AT_ONCE),
  deflate: () => createInflate(AT_ONCE),
  br: () => createBrotliDecompress({ flush: constants.BROTLI_OPERATION_FLUSH }),
  zstd: () => createZstdDecompress(),
};

/**
 * Decompresses a body. Compression is never requested, but some servers and proxies apply it anyway. Unknown encodings
 * are left as they are.
 *
 * @param encoding `content-encoding` header: encodings in the order in which they were applied
 */
function unpackBody(body: Readable, encoding: string | null): Readable {
  const packings = (encoding ?? '').split(',').map((name) => name.trim().toLowerCase());
  return packings.reduceRight<Readable>((packed, name) => {
    const unpacker = UNPACKERS[name]?.();
    // Errors of either stream surface at the reader of the last one.
    return unpacker === undefined ? packed : pipeline(packed, unpacker, () => undefined);
  }, body);
}
