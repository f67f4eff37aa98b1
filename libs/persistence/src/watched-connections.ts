import type pg from 'pg';
import { AnsweringClient, type AnsweringClientConfig } from './answering-client.js';

export interface WatchedConnectionOptions {
  /**
   * How long a database that is frozen can hold up a caller, in milliseconds; without limit when omitted. The database
   * itself gives a statement up a little earlier, e.g. one that waits for a lock, so that the connection goes on.
   */
  readonly queryTimeoutMs?: number;
  /**
   * How often an idle connection is asked whether it is still there, and how long it may take to answer; 5 s when
   * omitted.
   */
  readonly pingEveryMs?: number;
}

/** Share of the caller's time limit that a statement may run on the server; the rest is for the network. */
const SERVER_SHARE = 0.8;

/** Options of a pool that hands on no connection, and waits for none, that does not answer any more. */
export function watchedConnections(
  options: WatchedConnectionOptions,
  Client: new (config?: string | AnsweringClientConfig) => AnsweringClient = AnsweringClient,
): pg.PoolConfig {
  const { queryTimeoutMs, pingEveryMs } = options;
  return {
    keepAlive: true,
    ...(queryTimeoutMs !== undefined && {
      query_timeout: queryTimeoutMs,
      statement_timeout: Math.ceil(queryTimeoutMs * SERVER_SHARE),
    }),
    ...(pingEveryMs !== undefined && { pingEveryMs }),
    Client,
  };
}
