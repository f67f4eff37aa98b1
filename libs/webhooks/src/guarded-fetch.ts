import { request, type Agent, type Dispatcher } from 'undici';
import { reasonOf, type FetchFailureReason } from './fetch-failure.js';
import { guardedAgent, type GuardOptions } from './guarded-connect.js';

export interface GuardedFetchOptions extends Omit<GuardOptions, 'timeoutMs'> {
  /** From the look-up of the name to the last byte read. */
  readonly timeoutMs?: number;
  /** What is read of an answer's body; more ends the connection. */
  readonly mostReadBytes?: number;
}

export interface GuardedRequest {
  readonly url: string;
  readonly method: Dispatcher.HttpMethod;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export type GuardedResult =
  | {
      readonly kind: 'answered';
      readonly statusCode: number;
      /** Names in lower case. */
      readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
      /** As it came, never decompressed; short of its end when it was too long, too slow or broken off. */
      readonly body: Uint8Array;
    }
  | { readonly kind: 'unanswered'; readonly reason: FetchFailureReason };

const TIMEOUT_MS = 15_000;
const MOST_READ_BYTES = 64 * 1_024;

/**
 * The one way to call a URL that somebody else has chosen: never an internal address, never after a redirect, never
 * for longer or for more bytes than allowed. Every failure is a result.
 */
export class GuardedFetch {
  private readonly agent: Agent;
  private readonly timeoutMs: number;
  private readonly mostReadBytes: number;

  constructor(options: GuardedFetchOptions) {
    this.timeoutMs = options.timeoutMs ?? TIMEOUT_MS;
    this.mostReadBytes = options.mostReadBytes ?? MOST_READ_BYTES;
    this.agent = guardedAgent({ ...options, timeoutMs: this.timeoutMs });
  }

  async request({ url, method, headers, body }: GuardedRequest): Promise<GuardedResult> {
    const target = toHttpUrl(url);
    if (target === null) return { kind: 'unanswered', reason: 'invalid_url' };
    const deadline = AbortSignal.timeout(this.timeoutMs);
    try {
      const options = { dispatcher: this.agent, method, headers: { ...headers }, body, signal: deadline };
      const answer = await request(target, options);
      const read = await readAtMost(this.mostReadBytes, answer.body);
      return { kind: 'answered', statusCode: answer.statusCode, headers: answer.headers, body: read };
    } catch (error) {
      return { kind: 'unanswered', reason: deadline.aborted ? 'timeout' : reasonOf(error) };
    }
  }

  /** Breaks off what is under way. */
  async close(): Promise<void> {
    await this.agent.destroy();
  }
}

function toHttpUrl(text: string): URL | null {
  const url = URL.parse(text);
  if (url === null || !['http:', 'https:'].includes(url.protocol)) return null;
  return url.username === '' && url.password === '' ? url : null;
}

/** Never fails: once the status has come the other side has answered, whatever becomes of the body. */
async function readAtMost(limit: number, body: Dispatcher.ResponseData['body']): Promise<Uint8Array> {
  const incoming: AsyncIterable<Uint8Array> = body;
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of incoming) {
      chunks.push(chunk);
      size += chunk.byteLength;
      // Leaving the loop destroys the body and with it the connection.
      if (size > limit) break;
    }
  } catch {
    // What was read until here is the answer.
  }
  return Buffer.concat(chunks).subarray(0, limit);
}
