import type { ToolDefinition, ToolEffect } from '../tool-definition.js';
import type { ToolSourceContext } from '../tool-context.js';
import type { AccessTokens } from './access-tokens.js';
import type { ToolServer } from './tool-server.js';

/** The templates of a server, filled: what a driver sends, and nothing of it anywhere else. */
export interface ServerCredentials {
  /** Headers of every request, by name. */
  readonly headers: Readonly<Record<string, string>>;
  /** Parameters of every address, by name; not yet encoded. */
  readonly query: Readonly<Record<string, string>>;
  /** The whole environment of the process of a `stdio` server. */
  readonly env: Readonly<Record<string, string>>;
  /** What fills the security schemes of an `openapi` server, by the scheme's name. */
  readonly security: Readonly<Record<string, string>>;
  /** The names of tokens that templates ask for and nobody gave: what needs one is in none of the maps above. */
  readonly missing: readonly string[];
  /** The values of the tokens that stand in them, so that they can be known again where a server repeats them. */
  readonly tokens?: readonly string[];
  /** Where the server asks for OAuth access tokens: whoever speaks to it sends one with every request. */
  readonly access?: AccessTokens;
}

/** A tool as its server offers it. */
export interface ServerTool extends ToolDefinition {
  /** The server's own name of it: anything from 1 to 256 characters; the model sees another one. */
  readonly name: string;
  /**
   * What repeating a call does as far as is known without the tenant's word: by the method of an HTTP operation;
   * `unsafe` for a tool of an MCP server, whatever that says of itself.
   */
  readonly effect: ToolEffect;
  /**
   * What the server's own annotations say that a call does. It only counts where it is stricter than what the tenant
   * declares. Absent where the server says nothing.
   */
  readonly claimedEffect?: ToolEffect;
}

/** A server that was reached: what it offers, until it is closed. */
export interface OpenedServer {
  /** All of its tools, by names that differ. What is unusable (no schema, a name twice) is left out, with a warning. */
  readonly tools: readonly ServerTool[];
  /** What a tenant should know: what was left out, and why. At most 20, each at most 300 characters, without secrets. */
  readonly warnings: readonly string[];
  /** Releases what this opening holds (a session, a process). Never throws; after it no tool is called. */
  close(): Promise<void>;
}

/**
 * Speaks to the tool servers of some types. What its tools throw follows `mayHaveTakenEffect`; they mind the signal of
 * their call and its idempotency key.
 */
export abstract class ToolServerDriver {
  /**
   * Connects and lists the tools. Rejects with a {@link ToolServerFailure} where the server cannot be reached or is of no
   * use; anything else that is thrown counts as one without a reason. After a rejection nothing is held.
   *
   * @param server of one of the types that this driver was registered for
   * @param run for which it is opened: a server with a state has a session for each run; null where somebody only looks
   *   at it
   * @param signal gives up connecting and listing; calls have signals of their own
   */
  abstract open(
    server: ToolServer,
    credentials: ServerCredentials,
    run: ToolSourceContext | null,
    signal: AbortSignal,
  ): Promise<OpenedServer>;
}

/**
 * Why a server cannot be used. `unreachable`: nothing listens, the name is unknown, the connection broke or took too long.
 * `refused_address`: where it leads nobody may go. `unauthorized`: 401 or 403. `refused`: another error answer.
 * `protocol`: what answers is no such server. `document`: its description is of no use. `unsupported`: this installation
 * does not do such servers. `overloaded`: too much is under way with it already. `connection_needed`: nobody has
 * agreed yet, or any more, that it is used on their behalf.
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

/** Rejects an opening. Its message is shown to the tenant: never an exception's text, an address inside, or a secret. */
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
