import type { ToolServer, ToolServerDriver } from '#libs/tooling';

/**
 * A driver, and a server of its kind with the tools of a shop: `find` (`{ word }`, answers `found {word}`), `fail` (answers
 * an error that says `out of paper`), `hang` (never answers), `flood` (answers more than may be read) and `drop` (breaks
 * off).
 */
export interface ToolServerBackend {
  readonly driver: ToolServerDriver;
  readonly server: ToolServer;
  /** The same where nobody listens; null where there is no such place. */
  readonly nowhere: ToolServer | null;
  /** Sessions, connections and processes that are held for runs that are over, or for nobody. */
  held(): number | Promise<number>;
  /** The server keeps nothing of a call by which it could hear that it was given up. */
  readonly isDeaf?: boolean;
  /** How many calls of `hang` have come, and how many of them were given up. */
  hanging(): { readonly begun: number; readonly given: number };
  close(): Promise<void>;
}
