import type { Agent, Dispatcher } from 'undici';
import { AnswerBrokenOff, boundedBytes } from './bounded-bytes.js';
import { reasonOf, type FetchFailureReason } from './fetch-failure.js';
import { guardedAgent, type GuardOptions } from './guarded-connect.js';
import { exchange } from './http-exchange.js';

/** Default limits of a use; a request may override them. */
export interface GuardedLimits {
  /** Milliseconds from the name lookup to the last byte read; default 15 000. */
  readonly timeoutMs?: number;
  /** Maximum bytes read of a response body; more ends the connection. Default 65 536. */
  readonly mostReadBytes?: number;
}

export interface GuardedFetchOptions extends Omit<GuardOptions, 'timeoutMs'>, GuardedLimits {}

export interface GuardedRequest extends GuardedLimits {
  readonly url: string;
  readonly method: Dispatcher.HttpMethod;
  readonly headers: Readonly<Record<string, string>>;
  /** Sent as UTF-8; no body by default. */
  readonly body?: string;
  /** Aborts the request. */
  readonly signal?: AbortSignal;
}

interface AnswerHead {
  readonly kind: 'answered';
  readonly statusCode: number;
  /** Header names in lower case. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
}

export interface Unanswered {
  readonly kind: 'unanswered';
  readonly reason: FetchFailureReason;
}

export interface GuardedAnswer extends AnswerHead {
  /** The body as received, never decompressed. */
  readonly body: Uint8Array;
  /** False if `body` is incomplete: the response was too long, too slow or broke off. */
  readonly isWhole: boolean;
}

export interface GuardedStream extends AnswerHead {
  /**
   * The body as received, never decompressed. Throws `AnswerBrokenOff` if it is too long, too slow or breaks off. It
   * must be read, or left at once: the connection stays open for it until the timeout.
   */
  readonly body: AsyncIterable<Uint8Array>;
}

const TIMEOUT_MS = 15_000;
const MAX_READ_BYTES = 64 * 1_024;

/**
 * The one way to call a URL that a tenant or another party has chosen: never an internal address, never a redirect,
 * never for longer or for more bytes than allowed. Every failure is a result.
 */
export class GuardedFetch {
  private readonly agent: Agent;
  private readonly limits: Required<GuardedLimits>;

  constructor({ timeoutMs = TIMEOUT_MS, mostReadBytes = MAX_READ_BYTES, ...options }: GuardedFetchOptions) {
    this.limits = { timeoutMs, mostReadBytes };
    this.agent = guardedAgent({ ...options, timeoutMs });
  }

  /** Sends the request and reads the response up to the limit. */
  async request(asked: GuardedRequest): Promise<GuardedAnswer | Unanswered> {
    const answer = await this.open(asked);
    return answer.kind === 'unanswered' ? answer : { ...answer, ...(await collect(answer.body)) };
  }

  /** Resolves as soon as the response headers have arrived. */
  async open(asked: GuardedRequest): Promise<GuardedStream | Unanswered> {
    const { url, method, headers, body = null, signal } = asked;
    const target = toHttpUrl(url);
    if (target === null) return { kind: 'unanswered', reason: 'invalid_url' };
    const { timeoutMs, mostReadBytes } = { ...this.limits, ...given(asked) };
    const deadline = AbortSignal.timeout(timeoutMs);
    const reason = (error: unknown): FetchFailureReason => {
      if (signal?.aborted === true) return 'aborted';
      return deadline.aborted ? 'timeout' : reasonOf(error);
    };
    try {
      const request = { url: target.href, method, headers, body, silenceMs: timeoutMs };
      const stop = signal === undefined ? deadline : AbortSignal.any([deadline, signal]);
      const answer = await exchange(this.agent, request, stop);
      const bounded = boundedBytes(answer.body, mostReadBytes, reason);
      return { kind: 'answered', statusCode: answer.status, headers: answer.headers, body: bounded };
    } catch (error) {
      return { kind: 'unanswered', reason: reason(error) };
    }
  }

  /** Aborts all requests in flight. */
  async close(): Promise<void> {
    await this.agent.destroy();
  }
}

function given({ timeoutMs, mostReadBytes }: GuardedLimits): GuardedLimits {
  return {
    ...(timeoutMs !== undefined && { timeoutMs }),
    ...(mostReadBytes !== undefined && { mostReadBytes }),
  };
}

function toHttpUrl(text: string): URL | null {
  const url = URL.parse(text);
  if (url === null || !['http:', 'https:'].includes(url.protocol)) return null;
  return url.username === '' && url.password === '' ? url : null;
}

/** Collects the body. An incomplete one is no failure, since the server has responded with a status. */
async function collect(
  incoming: AsyncIterable<Uint8Array>,
): Promise<Pick<GuardedAnswer, 'body' | 'isWhole'>> {
  const chunks: Uint8Array[] = [];
  try {
    for await (const chunk of incoming) chunks.push(chunk);
    return { body: Buffer.concat(chunks), isWhole: true };
  } catch (error) {
    if (!(error instanceof AnswerBrokenOff)) throw error;
    return { body: Buffer.concat(chunks), isWhole: false };
  }
}
