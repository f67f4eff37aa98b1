import type { ServerCredentials, ToolProgress, ToolServerOf } from '#libs/tooling';

/** A tool server that speaks MCP. */
export type McpServer = ToolServerOf<'http' | 'sse' | 'stdio'>;

/** One `tools/call`. */
export interface McpCall {
  /** The server's own name of the tool. */
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** `_meta` of the request. */
  readonly meta: Readonly<Record<string, unknown>>;
  /** Whether a call may be repeated; one that may not gets a connection of its own where that makes it safer. */
  readonly isRepeatable: boolean;
  /** Cancels the call, at the server too. */
  readonly signal: AbortSignal;
  readonly onProgress: (progress: ToolProgress) => void;
}

/**
 * One conversation with a server, whatever the revision of the protocol: with `initialize` and sessions, or, as later
 * revisions have it, without either. What comes back is the server's word, of any shape: whoever reads it checks it.
 * Everything rejects with an `McpFailure`.
 */
export abstract class McpConnection {
  /** Whether the server remembers what was said here: then no other run may speak on it. */
  abstract readonly hasState: boolean;
  /** Nothing can be asked any more. */
  abstract readonly isClosed: boolean;
  /** Resolves when that is so, whichever side brought it about. */
  abstract readonly closed: Promise<void>;
  /** Goes up whenever the server says that its tools have changed. */
  abstract readonly toolsVersion: number;

  /** The result of one `tools/list`. */
  abstract listTools(cursor: string | null, signal: AbortSignal): Promise<unknown>;

  /** The result of one `tools/call`. */
  abstract callTool(call: McpCall): Promise<unknown>;

  /** Ends session, streams and process, also where something is under way. Never throws; may be called again. */
  abstract close(): Promise<void>;
}

/** Makes connections. */
export abstract class McpConnector {
  /** Rejects with a `ToolServerFailure`; nothing is held then. */
  abstract connect(
    server: McpServer,
    credentials: ServerCredentials,
    signal: AbortSignal,
  ): Promise<McpConnection>;
}
