import type { ToolEffect } from '#libs/kit';
import type { ToolDefinition } from '../tool-definition.js';
import type { ToolSourceContext } from '../tool-context.js';
import type { AccessTokens } from './access-tokens.js';
import type { ToolServer } from './tool-server.js';

/** A server's filled templates: secrets that only the driver sends. */
export interface ServerCredentials {
  /** Headers of every request, by name. */
  readonly headers: Readonly<Record<string, string>>;
  /** Query parameters of every request, by name; not yet encoded. */
  readonly query: Readonly<Record<string, string>>;
  /** The complete environment of a `stdio` server's process. */
  readonly env: Readonly<Record<string, string>>;
  /** Values of an `openapi` server's security schemes, by scheme name. */
  readonly security: Readonly<Record<string, string>>;
  /** Tokens that templates need but the request did not supply; the maps above omit values that need one. */
  readonly missing: readonly string[];
  /** Token values within the templates, so that they can be redacted if a server repeats them. */
  readonly tokens?: readonly string[];
  /** Set if the server requires OAuth access tokens; the driver then sends one with every request. */
  readonly access?: AccessTokens;
}

/** A tool as its server describes it. */
export interface ServerTool extends ToolDefinition {
  /** The server's own name of the tool, 1 to 256 characters; the model sees another name. */
  readonly name: string;
  /**
   * Effect without the tenant's override: derived from the method of an HTTP operation, and always `unsafe` for MCP
   * tools, regardless of their annotations.
   */
  readonly effect: ToolEffect;
  /**
   * Effect according to the server's own annotations; absent if there are none. It only counts where it is stricter
   * than the tenant's declaration.
   */
  readonly claimedEffect?: ToolEffect;
}

/** An open connection to a server, with its tools. */
export interface OpenedServer {
  /** All usable tools, with distinct names. Unusable ones (no schema, duplicate name) are left out with a warning. */
  readonly tools: readonly ServerTool[];
  /**
   * Warnings for the tenant, such as omitted tools with the reason: at most 20, each at most 300 characters, without
   * secrets.
   */
  readonly warnings: readonly string[];
  /** Releases the session or process. Never throws; no tool may be called afterwards. */
  close(): Promise<void>;
}

/**
 * Driver for tool servers of some types. Errors thrown by its tools follow `mayHaveTakenEffect`; the tools honour the
 * signal and the idempotency key of their call.
 */
export abstract class ToolServerDriver {
  /**
   * Connects and lists the tools. Rejects with a {@link ToolServerFailure} if the server is unreachable or unusable;
   * any other error counts as a failure without a reason. A rejected opening holds no resources.
   *
   * @param server of a type that this driver is registered for
   * @param run the run to open a session for; null for an inspection without a run
   * @param signal aborts connecting and listing; calls have their own signals
   */
  abstract open(
    server: ToolServer,
    credentials: ServerCredentials,
    run: ToolSourceContext | null,
    signal: AbortSignal,
  ): Promise<OpenedServer>;
}

/**
 * Reasons why a server is unusable:
 *
 * - `unreachable`: no listener, unknown host, broken connection or timeout
 * - `refused_address`: the address is forbidden
 * - `unauthorized`: 401 or 403
 * - `refused`: another error status
 * - `protocol`: the response is not of the expected protocol
 * - `document`: the API description is unusable
 * - `unsupported`: this installation does not support such servers
 * - `overloaded`: a limit of concurrent calls, connections or processes is reached
 * - `connection_needed`: the person has not consented, or has revoked consent
 */
export const TOOL_SERVER_FAULTS = [
  'unreachable',
  'refused_address',
  'unauthorized',
  'refused',
  'protocol',
  'document',
  'unsupported',
  'overloaded',
  'connection_needed',
] as const;
export type ToolServerFault = (typeof TOOL_SERVER_FAULTS)[number];

/**
 * Rejects an opening. The message is shown to the tenant: no exception text, internal address or secret may occur in
 * it.
 */
export class ToolServerFailure extends Error {
  override readonly name = 'ToolServerFailure';

  /** @param message at most 300 characters */
  constructor(
    readonly fault: ToolServerFault,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
