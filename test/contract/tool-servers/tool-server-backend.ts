import type { ToolServer, ToolServerDriver } from '#libs/tooling';

/**
 * A driver, and a server of its kind with the tools of a shop: `find` (`{ word }`, answers `found {word}`), `fail` (answers
 * an error that says `out of paper`), `hang` (never answers), `flood` (answers more than may be read) and `drop` (breaks
 * off).
 */
export interface ToolServerBackend {
  readonly driver: ToolServerDriver;
  readonly server: ToolServer;
  /** The server at an address without a listener; null for a driver without addresses. */
  readonly nowhere: ToolServer | null;
  /** Number of sessions, connections, processes or calls that the driver still holds open. */
  held(): number | Promise<number>;
  /** True for a stateless server, which cannot learn that the client has aborted a call. */
  readonly isDeaf?: boolean;
  /** Numbers of calls of `hang` that the server received, and of those that were aborted. */
  hanging(): { readonly begun: number; readonly given: number };
  close(): Promise<void>;
}
