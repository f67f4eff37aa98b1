/** What a pool needs to know of a connection. */
export interface PooledConnection {
  /** Whether the other side remembers what was said: then it belongs to one run. */
  readonly hasState: boolean;
  readonly isClosed: boolean;
  /** Resolves when it is closed, whichever side did it. */
  readonly closed: Promise<void>;
  /** Never throws. */
  close(): Promise<void>;
}

export interface PoolLimits {
  /** Connections at the same time, of all tenants, and of one. */
  readonly most: number;
  readonly mostPerTenant: number;
  /** Milliseconds without a request until a connection is closed. */
  readonly idleMs: number;
  /** Milliseconds after which a shared connection is given to nobody any more. */
  readonly longestMs: number;
}

/** Who asks for a connection, and how it is made. */
export interface Asked<Connection> {
  readonly tenantId: string;
  /** The same for all that may speak on one connection: tenant, server and credentials. */
  readonly key: string;
  /** For whom; the same run gets the same connection. Null: nobody else may ever use it. */
  readonly runId: string | null;
  connect(signal: AbortSignal): Promise<Connection>;
}

/** Somebody who may ask for a connection until he is closed. */
export interface Holder<Connection> {
  /**
   * Has `work` done on the connection, which is made where there is none or it was closed meanwhile. Rejects with what
   * `connect` rejects with, with `ToolServerFailure` where there are too many, or with what `work` does.
   */
  use<Result>(signal: AbortSignal, work: (connection: Connection) => Promise<Result>): Promise<Result>;
  /** The connection is of no use any more: whoever asks next gets another one. */
  drop(connection: Connection): void;
  /** What nobody else holds and has a state is closed; what may be shared is kept for a while. */
  close(): Promise<void>;
}
