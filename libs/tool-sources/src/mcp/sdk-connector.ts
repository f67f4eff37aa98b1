import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { GuardedClient } from '#libs/guarded-fetch';
import { ToolServerFailure, type ServerCredentials, type ToolServerOf } from '#libs/tooling';
import { authorizedFetch } from '../oauth/authorized-fetch.js';
import { McpConnector, type McpServer } from './mcp-connection.js';
import { toServerFailure } from './mcp-failure.js';
import { SdkConnection, type SdkTransport } from './sdk-connection.js';
import { toStdioProcess, type StdioRules } from './stdio-rules.js';
import { sseTransport } from './sse-transport.js';
import { StdioTransport } from './stdio-transport.js';
import { watchedFetch } from './watched-fetch.js';

export interface SdkConnectorOptions {
  /** Guarded HTTP client. */
  readonly client: Pick<GuardedClient, 'fetchFor'>;
  readonly stdio: StdioRules;
  /** Our version in the handshake. */
  readonly version: string;
}

/** Maximum bytes of one answer, and of one stream in total. */
const MAX_READ_BYTES = 10 * 1_024 * 1_024;
/** Milliseconds added to the call's timeout before the connection itself times out. */
const MARGIN_MS = 5_000;
const MAX_STREAM_SILENCE_MS = 15 * 60_000;
/** Maximum consecutive streams for server notifications, per connection. */
const MAX_STREAMS = 10;

/** Connects by the official library over the server type's transport. */
export class SdkConnector extends McpConnector {
  private processes = 0;

  constructor(private readonly options: SdkConnectorOptions) {
    super();
  }

  override async connect(
    server: McpServer,
    credentials: ServerCredentials,
    signal: AbortSignal,
  ): Promise<SdkConnection> {
    const { timeout_ms: timeoutMs } = server.limits;
    const late = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
    const makeTransport = this.prepare(server, credentials);
    try {
      return await SdkConnection.open(this.options.version, makeTransport, timeoutMs + MARGIN_MS, late);
    } catch (error) {
      throw toServerFailure(error);
    }
  }

  private prepare(server: McpServer, credentials: ServerCredentials): (client: Client) => SdkTransport {
    switch (server.type) {
      case 'stdio':
        return this.prepareProcess(server, credentials);
      case 'sse':
        return (client) => this.overSse(server, credentials, client);
      case 'http':
        return (client) => this.overHttp(server, credentials, client);
    }
  }

  private prepareProcess(server: ToolServerOf<'stdio'>, credentials: ServerCredentials): () => SdkTransport {
    const { stdio } = this.options;
    const started = toStdioProcess(server, credentials, stdio);
    if (this.processes >= stdio.mostProcesses)
      throw new ToolServerFailure('overloaded', 'too many servers run as processes at the moment');
    return () => {
      this.processes += 1;
      const transport = new StdioTransport(started);
      let isHeld = true;
      const release = async (): Promise<void> => {
        await transport.close();
        if (isHeld) this.processes -= 1;
        isHeld = false;
      };
      // A process always counts as stateful.
      return { transport, hasState: () => true, endSession: () => Promise.resolve(), release };
    };
  }

  private overHttp(
    server: ToolServerOf<'http'>,
    credentials: ServerCredentials,
    client: Client,
  ): SdkTransport {
    const lifetime = new AbortController();
    let streams = 0;
    const hasSession = (): boolean => transport.sessionId !== undefined;
    const fetch = watchedFetch({
      ...this.fetches(server, credentials),
      signal: lifetime.signal,
      hasSession,
      takesStream: () => {
        // Only servers with sessions send notifications, and only a change of the tools is of interest.
        if (!hasSession() || client.getServerCapabilities()?.tools?.listChanged !== true) return false;
        streams += 1;
        return streams <= MAX_STREAMS;
      },
    });
    const transport = new StreamableHTTPClientTransport(new URL(server.config.url), {
      fetch,
      requestInit: { headers: { ...credentials.headers } },
    });
    return {
      transport,
      hasState: hasSession,
      endSession: () => transport.terminateSession(),
      release: () => {
        lifetime.abort();
        return Promise.resolve();
      },
    };
  }

  private overSse(server: ToolServerOf<'sse'>, credentials: ServerCredentials, client: Client): SdkTransport {
    const lifetime = new AbortController();
    let isOpened = false;
    const fetch = watchedFetch({
      ...this.fetches(server, credentials),
      signal: lifetime.signal,
      hasSession: () => true,
      takesStream: () => {
        const isFirst = !isOpened;
        isOpened = true;
        return isFirst;
      },
      onStreamEnd: () => void client.close(),
    });
    const transport = sseTransport(new URL(server.config.url), { fetch, headers: credentials.headers });
    return {
      transport,
      // The stream is the session.
      hasState: () => true,
      endSession: () => Promise.resolve(),
      release: () => {
        lifetime.abort();
        return Promise.resolve();
      },
    };
  }

  private fetches({ tenantId, limits, config }: ToolServerOf<'http' | 'sse'>, { access }: ServerCredentials) {
    const longest = limits.timeout_ms + MARGIN_MS;
    const common = { tenantId, headersTimeoutMs: longest, mostReadBytes: MAX_READ_BYTES };
    const { client } = this.options;
    const authorized = (guarded: typeof fetch): typeof fetch =>
      access === undefined ? guarded : authorizedFetch(guarded, access, config.url);
    return {
      fetch: authorized(client.fetchFor({ ...common, silenceMs: longest })),
      ownFetch: authorized(
        client.fetchFor({ ...common, silenceMs: longest, needsOwnConnection: () => true }),
      ),
      streamFetch: authorized(client.fetchFor({ ...common, silenceMs: MAX_STREAM_SILENCE_MS })),
    };
  }
}
