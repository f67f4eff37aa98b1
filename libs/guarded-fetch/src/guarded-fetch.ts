import { Readable } from 'node:stream';
import { request, type Agent, type Dispatcher } from 'undici';
import { AnswerBrokenOff, boundedBytes } from './bounded-bytes.js';
import { reasonOf, type FetchFailureReason } from './fetch-failure.js';
import { guardedAgent, type GuardOptions } from './guarded-connect.js';

/** What one use allows; a request may say otherwise. */
export interface GuardedLimits {
  /** From the look-up of the name to the last byte read; 15 s by default. */
  readonly timeoutMs?: number;
  /** What is read of an answer's body; more ends the connection. 64 kB by default. */
  readonly mostReadBytes?: number;
}

export interface GuardedFetchOptions extends Omit<GuardOptions, 'timeoutMs'>, GuardedLimits {}

export interface GuardedRequest extends GuardedLimits {
  readonly url: string;
  readonly method: Dispatcher.HttpMethod;
  readonly headers: Readonly<Record<string, string>>;
  /** Text goes as UTF-8, bytes as they are, a stream as it comes; none by default. */
  readonly body?: string | Uint8Array | AsyncIterable<Uint8Array>;
  /** Breaks off what is under way. */
  readonly signal?: AbortSignal;
}

interface AnswerHead {
  readonly kind: 'answered';
  readonly statusCode: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
}

export interface Unanswered {
  readonly kind: 'unanswered';
  readonly reason: FetchFailureReason;
}

export interface GuardedAnswer extends AnswerHead {
  /** As it came, never decompressed. */
  readonly body: Uint8Array;
  /** False where `body` ends before the answer did: it was too long, too slow or broken off. */
  readonly isWhole: boolean;
}

export interface GuardedStream extends AnswerHead {
  /**
   * As it comes, never decompressed. Throws `AnswerBrokenOff` where it is too long, too slow or broken off. To be read,
   * if only to be left at once: the connection is kept for it until the time is up.
   */
  readonly body: AsyncIterable<Uint8Array>;
}

const TIMEOUT_MS = 15_000;
const MOST_READ_BYTES = 64 * 1_024;

/**
 * The one way to call a URL that somebody else has chosen: never an internal address, never after a redirect, never
 * for longer or for more bytes than allowed. Every failure is a result.
 */
export class GuardedFetch {
  private readonly agent: Agent;
  private readonly limits: Required<GuardedLimits>;

  constructor({ timeoutMs = TIMEOUT_MS, mostReadBytes = MOST_READ_BYTES, ...options }: GuardedFetchOptions) {
    this.limits = { timeoutMs, mostReadBytes };
    this.agent = guardedAgent({ ...options, timeoutMs });
  }

  /** Reads the answer, as much of it as may be read. */
  async request(asked: GuardedRequest): Promise<GuardedAnswer | Unanswered> {
    const answer = await this.open(asked);
    return answer.kind === 'unanswered' ? answer : { ...answer, ...(await collect(answer.body)) };
  }

  /** Answers as soon as the headers have come. */
  async open(asked: GuardedRequest): Promise<GuardedStream | Unanswered> {
    const { url, method, headers, signal } = asked;
    const target = toHttpUrl(url);
    if (target === null) return { kind: 'unanswered', reason: 'invalid_url' };
    const { timeoutMs, mostReadBytes } = { ...this.limits, ...given(asked) };
    const deadline = AbortSignal.timeout(timeoutMs);
    const sent = new SentBody(asked.body);
    const reason = (error: unknown): FetchFailureReason => {
      if (signal?.aborted === true) return 'aborted';
      if (deadline.aborted) return 'timeout';
      return sent.hasFailed ? 'unsendable_body' : reasonOf(error);
    };
    try {
      const answer = await request(target, {
        dispatcher: this.agent,
        method,
        headers: { ...headers },
        body: sent.body,
        headersTimeout: timeoutMs,
        bodyTimeout: timeoutMs,
        signal: signal === undefined ? deadline : AbortSignal.any([deadline, signal]),
      });
      const body = boundedBytes(answer.body, mostReadBytes, reason);
      return { kind: 'answered', statusCode: answer.statusCode, headers: answer.headers, body };
    } catch (error) {
      return { kind: 'unanswered', reason: reason(error) };
    }
  }

  /** Breaks off what is under way. */
  async close(): Promise<void> {
    await this.agent.destroy();
  }
}

/** What is sent, and whether its own source is to blame when nothing comes of it. */
class SentBody {
  readonly body: string | Uint8Array | Readable | null;
  hasFailed = false;

  constructor(body: GuardedRequest['body']) {
    const isWhole = body === undefined || typeof body === 'string' || body instanceof Uint8Array;
    this.body = isWhole ? (body ?? null) : Readable.from(this.watch(body), { objectMode: false });
  }

  private async *watch(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    try {
      yield* source;
    } catch (error) {
      this.hasFailed = true;
      throw error;
    }
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

/** Once the status has come the other side has answered, whatever becomes of the body. */
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
