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
import type { ToolProgress } from '#libs/tooling';
import { z } from 'zod';
import { CallWatch, watchedCalls } from './call-watch.js';
import { McpConnection, type McpCall } from './mcp-connection.js';
import { brokenOff, failureOfAnswer, foreignSpeech, McpFailure, speaksOfTransport } from './mcp-failure.js';
import { toLine } from './warnings.js';

/** What a connection consists of, beside the library's client. */
export interface SdkTransport {
  readonly transport: Transport;
  /** Whether the server remembers what was said, known once it is connected. */
  hasState(): boolean;
  /** Has the server forget the session, where it has one. */
  endSession(): Promise<void>;
  /** Ends whatever is left. */
  release(): Promise<void>;
}

/** Whatever it is: it is checked by those who asked for it, part by part, so that one bad part costs no more than itself. */
const anyResult = z.looseObject({});

/** What a server may ask of us on one connection; each of it costs an answer. */
const MOST_REQUESTS_OF_SERVER = 200;
/** How long the goodbye may take, of each kind. */
const GOODBYE_MS = 2_000;
/** After an answer its stream should end; then the connection can be used again. */
const LINGER_MS = 1_000;

/** A connection by the official library: the revisions that begin with `initialize`. */
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
   * Rejects with an `McpFailure`; nothing is held then.
   *
   * @param timeoutMs of each request; what is given up earlier is up to its signal
   */
  static async open(
    version: string,
    makeTransport: (client: Client) => SdkTransport,
    timeoutMs: number,
    signal: AbortSignal,
  ): Promise<SdkConnection> {
    // Without capabilities: elicitation, sampling and roots are answered "method not found", which is what a client says
    // that does not offer them.
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
    // There are servers with tools that do not say so; one without any may refuse the question.
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
      // The first answer is that to `initialize`.
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
    if (this.requestsOfServer > MOST_REQUESTS_OF_SERVER) void this.close();
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

/** Whether the library could not parse what came: no JSON, or none of JSON-RPC. */
function isUnreadable(error: unknown): boolean {
  return error instanceof SyntaxError || error instanceof z.core.$ZodError;
}

/** Null where a version is one of those that we speak, or is none at all, which the library finds out. */
function unsupportedVersion(version: unknown): McpFailure | null {
  if (typeof version !== 'string' || SUPPORTED_PROTOCOL_VERSIONS.includes(version)) return null;
  const known = SUPPORTED_PROTOCOL_VERSIONS.join(', ');
  return foreignSpeech(
    `the server speaks version ${toLine(version, 40)} of MCP, which is not supported; supported are ${known}`,
  );
}

/** A call may end right after its cancellation was sent, and the connection with it: the server would never learn of it. */
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
 * When a request is to stop. The library sends the reason to the server, and what happened here is none of its business; and
 * it listens on when the request is over, and would cancel what is done. Whoever listens to a signal with a time keeps
 * it, and all that the listener knows, until that time is over.
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

function toProgress(done: number, total: number | undefined, message: string | undefined): ToolProgress {
  return { done, ...(total !== undefined && { total }), ...(message !== undefined && { message }) };
}

function unanswered(): Error {
  return brokenOff('the server did not answer in time');
}

/** Waits a while for the end of `work`, and does not mind how it ends. */
async function atMost(work: Promise<unknown>): Promise<void> {
  await unlessAborted(work, AbortSignal.timeout(GOODBYE_MS), unanswered).catch(noop);
}

function noop(): void {
  // What a server says to a goodbye matters to nobody.
}
