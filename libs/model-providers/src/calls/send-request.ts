import { pipeline, Readable, type Transform } from 'node:stream';
import {
  constants,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createZstdDecompress,
} from 'node:zlib';
import type { ClientOptions } from 'openai';
import type { Dispatcher } from 'undici';
import { exchange, type Exchanged } from '#libs/guarded-fetch';
import { boundBody } from './bounded-body.js';
import type { ClientConnection } from './connection.js';
import { readErrorBody } from './error-words.js';
import { HttpAnswer } from './http-answer.js';

/** Statuses without a body, regardless of the headers. */
const WITHOUT_BODY = new Set([204, 205, 304]);

/**
 * `fetch` for the official client: follows no redirects and creates no web streams. The client only sends URLs and text
 * bodies.
 */
export function sendThrough(
  dispatcher: Dispatcher,
  sign?: ClientConnection['sign'],
): NonNullable<ClientOptions['fetch']> {
  return async (url, { method = 'GET', headers: given, body: sent, signal } = {}) => {
    const address = url instanceof Request ? url.url : String(url);
    const body = typeof sent === 'string' ? sent : null;
    const unsigned = { method, url: address, headers: Object.fromEntries(new Headers(given)), body };
    const headers = (await sign?.(unsigned)) ?? unsigned.headers;
    const received = receive(address, await exchange(dispatcher, { ...unsigned, headers }, signal ?? null));
    return (received.ok ? received : withErrorObject(received)).asResponse();
  };
}

/** The client reads only `error` of an error body, so other formats are converted. */
function withErrorObject(answer: HttpAnswer): HttpAnswer {
  const rewritten = async function* (): AsyncGenerator<Uint8Array> {
    const text = await answer.text().catch(() => '');
    yield Buffer.from(JSON.stringify({ error: readErrorBody(text, answer.headers) }));
  };
  return answer.withBody(rewritten());
}

/** Converts a response: decodes its body and limits its size. */
export function receive(url: string, { status, headers, body }: Exchanged): HttpAnswer {
  const answer = new HttpAnswer(url, status, headers, null);
  if (WITHOUT_BODY.has(status)) return answer;
  const unpacked = unpackBody(body, answer.get('content-encoding'));
  return answer.withBody(boundBody(unpacked, isOnePiece(answer)));
}

/** True for a body without lines: JSON, or binary frames. */
function isOnePiece(answer: HttpAnswer): boolean {
  const type = (answer.get('content-type') ?? '').toLowerCase();
  return type.includes('json') || type.includes('vnd.amazon.eventstream');
}

/** Flushes after every chunk: an event must not wait in the decompressor for the next one. */
const AT_ONCE = { flush: constants.Z_SYNC_FLUSH, finishFlush: constants.Z_SYNC_FLUSH };

const UNPACKERS: ReadonlyMap<string, () => Transform> = new Map([
  ['gzip', () => createGunzip(AT_ONCE)],
  ['x-gzip', () => createGunzip(AT_ONCE)],
  ['deflate', () => createInflate(AT_ONCE)],
  ['br', () => createBrotliDecompress({ flush: constants.BROTLI_OPERATION_FLUSH })],
  ['zstd', () => createZstdDecompress()],
]);
/** Maximum encodings of one body, each of which holds memory of its own; a body with more is left as it is. */
const MAX_ENCODINGS = 5;

/**
 * Decompresses a body. Compression is never requested, but some servers and proxies apply it anyway. Unknown encodings
 * are left as they are.
 *
 * @param encoding `content-encoding` header: encodings in the order in which they were applied
 */
function unpackBody(body: AsyncIterable<Uint8Array>, encoding: string | null): AsyncIterable<Uint8Array> {
  const names = (encoding ?? '').split(',').map((name) => name.trim().toLowerCase());
  const unpackers = names.flatMap((name) => UNPACKERS.get(name) ?? []);
  if (unpackers.length === 0 || unpackers.length > MAX_ENCODINGS) return body;
  return unpackers.reduceRight<Readable>(
    // Errors of either stream surface at the reader of the last one.
    (packed, unpacker) => pipeline(packed, unpacker(), () => undefined),
    Readable.from(body, { objectMode: false }),
  );
}
