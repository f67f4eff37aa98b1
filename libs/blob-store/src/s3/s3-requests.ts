import type { Readable } from 'node:stream';
import { AwsV4Signer } from 'aws4fetch';
import { Agent, type Dispatcher } from 'undici';
import type { S3Config } from '#libs/config';
import { isPassing, readErrorCode, S3Error } from './s3-failure.js';

export interface S3Dependencies {
  readonly now: () => Date;
  /** 0 ≤ x < 1 */
  readonly random: () => number;
  readonly pause: (ms: number) => Promise<void>;
  /** Connection pool; default: an own one. */
  readonly dispatcher?: Dispatcher;
  /** Milliseconds that the server may be silent, in either direction; default 30 000. */
  readonly silenceMs?: number;
}

export interface S3Request {
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'DELETE';
  readonly url: URL;
  readonly headers?: Readonly<Record<string, string>>;
  /** `hash` is the SHA-256 in hexadecimal, with which the server verifies the body. */
  readonly body?: { readonly bytes: () => Readable; readonly size: number; readonly hash: string };
  /** Statuses that count as success; any other is thrown. */
  readonly expected: readonly number[];
}

const CONNECT_MS = 5_000;
const SILENCE_MS = 30_000;
const MAX_TRIES = 5;
const BASE_MS = 200;
const MAX_PAUSE_MS = 5_000;
/** Maximum bytes to read of an error response, enough for its code. */
const ERROR_BYTES = 8_192;
const EMPTY_HASH = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';

/** Sends signed requests (Signature Version 4) and retries transient failures with exponential backoff. */
export class S3Requests {
  private readonly dispatcher: Dispatcher;

  constructor(
    private readonly config: S3Config,
    private readonly deps: S3Dependencies,
  ) {
    const { silenceMs = SILENCE_MS, dispatcher } = deps;
    this.dispatcher =
      dispatcher ??
      new Agent({ connect: { timeout: CONNECT_MS }, headersTimeout: silenceMs, bodyTimeout: silenceMs });
  }

  /** Resolves with an unread body, which the caller must read or discard. */
  async send(request: S3Request): Promise<Dispatcher.ResponseData> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await this.sendOnce(request);
      } catch (error) {
        if (tries >= MAX_TRIES || !isPassing(error)) throw error;
        await this.pauseAfter(tries);
      }
    }
  }

  /** Waits with exponential backoff and jitter over its upper half. */
  pauseAfter(tries: number): Promise<void> {
    const backoff = Math.min(MAX_PAUSE_MS, BASE_MS * 2 ** (tries - 1));
    return this.deps.pause(backoff * (0.5 + this.deps.random() / 2));
  }

  private async sendOnce({
    method,
    url,
    headers = {},
    body,
    expected,
  }: S3Request): Promise<Dispatcher.ResponseData> {
    const signed = await this.sign(method, url, {
      ...headers,
      'x-amz-content-sha256': body?.hash ?? EMPTY_HASH,
    });
    const answer = await this.dispatcher.request({
      origin: url.origin,
      path: `${url.pathname}${url.search}`,
      method,
      headers: { ...signed, ...(body && { 'content-length': String(body.size) }) },
      ...(body && { body: body.bytes() }),
    });
    if (expected.includes(answer.statusCode)) return answer;
    throw new S3Error(method, answer.statusCode, await readCode(answer));
  }

  private async sign(
    method: string,
    url: URL,
    headers: Record<string, string>,
  ): Promise<Record<string, string>> {
    const { accessKeyId, secretAccessKey, region } = this.config;
    const signer = new AwsV4Signer({
      method,
      url: url.href,
      headers,
      accessKeyId,
      secretAccessKey,
      region,
      service: 's3',
      allHeaders: true,
      datetime: amzTime(this.deps.now()),
    });
    return Object.fromEntries((await signer.sign()).headers.entries());
  }
}

/** `20260131T235959Z` */
function amzTime(date: Date): string {
  return date.toISOString().replace(/[:-]|\.\d{3}/g, '');
}

async function readCode({ body }: Dispatcher.ResponseData): Promise<string | null> {
  const parts: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const part of body as AsyncIterable<Uint8Array>) {
      parts.push(part);
      size += part.byteLength;
      if (size > ERROR_BYTES) break;
    }
  } catch {
    // The status alone describes the error.
  }
  return readErrorCode(Buffer.concat(parts).toString('utf8'));
}
