import type { Progress, ServerCredentials, ToolServerOf } from '#libs/tooling';

export type McpServer = ToolServerOf<'http' | 'sse' | 'stdio'>;

export interface McpCall {
  /** The server's own name of the tool. */
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** `_meta` of the request. */
  readonly meta: Readonly<Record<string, unknown>>;
  /** True if the call may be repeated; other calls get their own connection where that is safer. */
  readonly isRepeatable: boolean;
  /** Aborting cancels the call, at the server too. */
  readonly signal: AbortSignal;
  readonly onProgress: (progress: Progress) => void;
}

/**
 * A connection to an MCP server, for protocol revisions with or without `initialize` and sessions. Results are
 * untrusted and unchecked: the caller validates them. All methods reject with an `McpFailure`.
 */
export abstract class McpConnection {
  /** True if the server keeps a session; such a connection serves one run only. */
  abstract readonly hasState: boolean;
  abstract readonly isClosed: boolean;
  /** Resolves once the connection is closed by either side. */
  abstract readonly closed: Promise<void>;
  /** Increases whenever the server announces a change of its tools. */
  abstract readonly toolsVersion: number;

  /** Raw result of one `tools/list` request. */
  abstract listTools(cursor: string | null, signal: AbortSignal): Promise<unknown>;

  /** Raw result of one `tools/call` request. */
  abstract callTool(call: McpCall): Promise<unknown>;

  /** Ends session, streams and process, aborting running requests. Never throws; repeatable. */
  abstract close(): Promise<void>;
}

export abstract class McpConnector {
  /** Rejects with a `ToolServerFailure`, without leaking resources. */
  abstract connect(
    server: McpServer,
    credentials: ServerCredentials,
    signal: AbortSignal,
  ): Promise<McpConnection>;
}
