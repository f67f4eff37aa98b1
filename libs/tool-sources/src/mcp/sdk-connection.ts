import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { RequestOptions } from '@modelcontextprotocol/sdk/shared/protocol.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  McpError,
  SUPPORTED_PROTOCOL_VERSIONS,
  ToolListChangedNotificationSchema,
  type JSONRPCMessage,
} from '@modelcontextprotocol/sdk/types.js';
import { unlessAborted } from '#libs/concurrency';
import type { Progress } from '#libs/tooling';
import { z } from 'zod';
import { CallWatch, watchedCalls } from './call-watch.js';
import { McpConnection, type McpCall } from './mcp-connection.js';
import { brokenOff, failureOfAnswer, foreignSpeech, McpFailure, speaksOfTransport } from './mcp-failure.js';
import { toLine } from './warnings.js';

/** Transport of a connection with its cleanup. */
export interface SdkTransport {
  readonly transport: Transport;
  /** True if the server keeps a session; known once connected. */
  hasState(): boolean;
  /** Ends the server's session, if any. */
  endSession(): Promise<void>;
  /** Releases all remaining resources. */
  release(): Promise<void>;
}

/** Accepts any object: callers validate results part by part, so that one bad part does not invalidate the rest. */
const anyResult = z.looseObject({});

/** Maximum requests from the server per connection, since each one costs a response. */
const MAX_REQUESTS_OF_SERVER = 200;
/** Maximum milliseconds per step of closing. */
const GOODBYE_MS = 2_000;
/** Milliseconds for the answer's stream to end by itself, which makes its connection reusable. */
const LINGER_MS = 1_000;

/** A connection by the official library, for the protocol revisions that begin with `initialize`. */
export class SdkConnection extends McpConnection {
  override toolsVersion = 0;
  private closing: Promise<void> | null = null;
  private isGone = false;
  private readonly gone = Promise.withResolvers<undefined>();
  private requestsOfServer = 0;
  private readonly goodbyes = new Set<Promise<unknown>>();

  private constructor(
    private readonly client: Client,
    private readonly parts: SdkTransport,
    private readonly timeoutMs: number,
  ) {
    super();
  }

  /**
   * Rejects with an `McpFailure`, without leaking resources.
   *
   * @param timeoutMs limit per request; earlier aborts come from its signal
   */
  static async open(
    version: string,
    makeTransport: (client: Client) => SdkTransport,
    timeoutMs: number,
    signal: AbortSignal,
  ): Promise<SdkConnection> {
    // Without capabilities the client answers elicitation, sampling and roots requests with "method not found".
    const client = new Client({ name: 'capstan', version }, { capabilities: {} });
    const connection = new SdkConnection(client, makeTransport(client), timeoutMs);
    await connection.connect(signal);
    return connection;
  }

  override get hasState(): boolean {
    return this.parts.hasState();
  }

  override get isClosed(): boolean {
    return this.isGone;
  }

  override get closed(): Promise<void> {
    return this.gone.promise;
  }

  override listTools(cursor: string | null, signal: AbortSignal): Promise<unknown> {
    const params = cursor === null ? {} : { params: { cursor } };
    const asking = this.ask({ method: 'tools/list', ...params }, new CallWatch('call'), signal);
    if (this.client.getServerCapabilities()?.tools !== undefined) return asking;
    // Some servers have tools without announcing the capability; servers without tools may reject the request.
    return asking.catch((error: unknown) => {
      if (error instanceof McpFailure && error.kind === 'rejected') return { tools: [] };
      throw error;
    });
  }

  override callTool({ name, input, meta, isRepeatable, signal, onProgress }: McpCall): Promise<unknown> {
    const params = { name, arguments: { ...input }, _meta: { ...meta } };
    const watch = new CallWatch(isRepeatable ? 'call' : 'unsafe_call');
    return this.ask({ method: 'tools/call', params }, watch, signal, {
      onprogress: ({ progress, total, message }) => {
        onProgress(toProgress(progress, total, message));
      },
    });
  }

  override close(): Promise<void> {
    this.closing ??= this.sayGoodbye();
    return this.closing;
  }

  private async connect(signal: AbortSignal): Promise<void> {
    const { transport } = this.parts;
    this.client.onclose = () => this.leave();
    this.client.setNotificationHandler(ToolListChangedNotificationSchema, () => {
      this.toolsVersion += 1;
    });
    const watch = new CallWatch('connect');
    transport.onmessage = (message: JSONRPCMessage) => {
      if ('method' in message && 'id' in message) this.countRequest();
      if ('method' in message) return;
      // The first response belongs to `initialize`.
      if ('result' in message) watch.failure ??= unsupportedVersion(message.result['protocolVersion']);
      watch.end();
    };
    keepGoodbyes(transport, this.goodbyes);
    const stopping = new Stopping(signal, watch.given);
    try {
      const connecting = watchedCalls.run(watch, () =>
        this.client.connect(transport, { timeout: this.timeoutMs }),
      );
      await unlessAborted(connecting, stopping.signal, unanswered);
    } catch (error) {
      watch.end();
      const failure = watch.failure ?? this.toFailure(error, signal);
      await this.close();
      throw failure;
    } finally {
      watch.end();
      stopping.forget();
    }
  }

  private async ask(
    request: { method: string; params?: Record<string, unknown> },
    watch: CallWatch,
    signal: AbortSignal,
    more: RequestOptions = {},
  ): Promise<unknown> {
    if (this.isGone) throw new McpFailure('unsent', 'the connection has ended before');
    if (signal.aborted) throw new McpFailure('unsent', 'the call was given up before it was sent');
    const stopping = new Stopping(signal, watch.given);
    const stop = stopping.signal;
    let isAnswered = false;
    try {
      const result = await watchedCalls.run(watch, () =>
        this.client.request(request, anyResult, {
          ...more,
          signal: stop,
          timeout: this.timeoutMs,
          onresumptiontoken: () => {
            watch.canResume = true;
          },
        }),
      );
      isAnswered = true;
      return result;
    } catch (error) {
      isAnswered = error instanceof McpError && !stop.aborted;
      throw watch.failure ?? this.toFailure(error, stop);
    } finally {
      watch.end();
      stopping.forget();
      if (isAnswered) setTimeout(() => watch.release(), LINGER_MS).unref();
      else watch.release();
    }
  }

  private toFailure(error: unknown, stop: AbortSignal): McpFailure {
    if (error instanceof McpFailure) return error;
    if (stop.aborted) return brokenOff('the server has not answered in time, or is not to any more', error);
    if (error instanceof McpError) {
      const answered = { code: error.code, message: error.message.replace(/^MCP error -?\d+: /, '') };
      const isOwn = this.isGone && speaksOfTransport(answered);
      return isOwn ? brokenOff('the connection ended', error) : failureOfAnswer(answered);
    }
    if (isUnreadable(error)) return foreignSpeech('what the server answered is no message of MCP', error);
    return brokenOff('the connection ended', error);
  }

  private countRequest(): void {
    this.requestsOfServer += 1;
    if (this.requestsOfServer > MAX_REQUESTS_OF_SERVER) void this.close();
  }

  private leave(): void {
    this.isGone = true;
    this.gone.resolve(undefined);
  }

  private async sayGoodbye(): Promise<void> {
    const wasGone = this.isGone;
    this.leave();
    await atMost(Promise.allSettled(this.goodbyes));
    if (!wasGone) await atMost(this.parts.endSession());
    await atMost(this.client.close());
    await this.parts.release();
  }
}

/** True if the library could not parse a message as JSON or JSON-RPC. */
function isUnreadable(error: unknown): boolean {
  return error instanceof SyntaxError || error instanceof z.core.$ZodError;
}

/** Null for a supported version, and for a malformed one, which the library reports itself. */
function unsupportedVersion(version: unknown): McpFailure | null {
  if (typeof version !== 'string' || SUPPORTED_PROTOCOL_VERSIONS.includes(version)) return null;
  const known = SUPPORTED_PROTOCOL_VERSIONS.join(', ');
  return foreignSpeech(
    `the server speaks version ${toLine(version, 40)} of MCP, which is not supported; supported are ${known}`,
  );
}

/**
 * Tracks outgoing notifications, so that closing waits for them: otherwise a cancellation might never reach the server.
 */
function keepGoodbyes(transport: Transport, goodbyes: Set<Promise<unknown>>): void {
  const send = transport.send.bind(transport);
  transport.send = (message, options) => {
    const sending = send(message, options);
    if (!('id' in message)) {
      goodbyes.add(sending);
      const forget = (): boolean => goodbyes.delete(sending);
      sending.then(forget, forget);
    }
    return sending;
  };
}

/**
 * Abort signal of one request, with two differences from the caller's signal. Its reason is a fixed text, because the
 * library sends it to the server. And it can be detached once the request is over: the library would otherwise cancel a
 * finished request, and a signal with a timeout would keep its listeners in memory until it fires.
 */
class Stopping {
  private readonly controller = new AbortController();
  private readonly signals: readonly AbortSignal[];

  constructor(...signals: AbortSignal[]) {
    this.signals = signals;
    for (const signal of signals) signal.addEventListener('abort', this.abort, { once: true });
    if (signals.some(({ aborted }) => aborted)) this.abort();
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  forget(): void {
    for (const signal of this.signals) signal.removeEventListener('abort', this.abort);
  }

  private readonly abort = (): void => this.controller.abort('the call was cancelled');
}

function toProgress(done: number, total: number | undefined, message: string | undefined): Progress {
  return { done, ...(total !== undefined && { total }), ...(message !== undefined && { message }) };
}

function unanswered(): Error {
  return brokenOff('the server did not answer in time');
}

/** Waits at most `GOODBYE_MS` for `work` and ignores its result. */
async function atMost(work: Promise<unknown>): Promise<void> {
  await unlessAborted(work, AbortSignal.timeout(GOODBYE_MS), unanswered).catch(noop);
}

function noop(): void {
  // Errors during closing are ignored.
}
