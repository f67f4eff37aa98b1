/** The pool's view of a connection. */
export interface PooledConnection {
  /** True if the server keeps a session; the connection then belongs to one run. */
  readonly hasState: boolean;
  readonly isClosed: boolean;
  /** Resolves once the connection is closed by either side. */
  readonly closed: Promise<void>;
  /** Never throws. */
  close(): Promise<void>;
}

export interface PoolLimits {
  /** Maximum open connections: `most` in total, `mostPerTenant` for each tenant. */
  readonly most: number;
  readonly mostPerTenant: number;
  /** Milliseconds without a request after which a connection is closed. */
  readonly idleMs: number;
  /** Maximum age of a shared connection, in milliseconds; older ones get no new users. */
  readonly longestMs: number;
}

/** A request for a connection. */
export interface Asked<Connection> {
  readonly tenantId: string;
  /** Equal for all runs that may share a connection: covers tenant, server and credentials. */
  readonly key: string;
  /** The run; equal runs get the same connection. Null: the connection is never shared. */
  readonly runId: string | null;
  connect(signal: AbortSignal): Promise<Connection>;
}

/** Access to a pooled connection, until closed. */
export interface Holder<Connection> {
  /**
   * Runs `work` on the connection, opening a new one if needed. Rejects with the error of `connect` or `work`, or with
   * a `ToolServerFailure` if too many connections are busy.
   */
  use<Result>(signal: AbortSignal, work: (connection: Connection) => Promise<Result>): Promise<Result>;
  /** Discards a broken connection; the next use opens another one. */
  drop(connection: Connection): void;
  /** Closes an unshared stateful connection; shareable ones stay open for a while. */
  close(): Promise<void>;
}
