import type { Pool } from 'pg';
import type { EventStreamLog } from './event-stream-log.js';
import type { EventStreamOptions } from './open-event-stream.js';

/** What a process is configured with, as far as its live events go. */
export interface EventStreamSettings {
  /** `namespace`: what its keys begin with. */
  readonly redis: { readonly url: string; readonly namespace: string } | null;
  /**
   * `pingEveryMs`: how often the connection that listens is asked whether it is still there, whichever server it leads
   * to. `directUrl`: past a pooler, which would not pass notifications on.
   */
  readonly database: { readonly directUrl: string; readonly pingEveryMs: number };
  readonly events: { readonly retentionMs: number };
}

/**
 * Where the live events of a process are: in Redis when it is configured, else in the database of `pool`, with one
 * LISTEN connection beside the pool.
 */
export function chooseEventStream(
  { redis, database, events }: EventStreamSettings,
  pool: Pool,
  log: EventStreamLog,
): EventStreamOptions {
  const { pingEveryMs } = database;
  if (redis !== null) {
    const keyPrefix = `${redis.namespace}:events`;
    return { backend: 'redis', url: redis.url, keyPrefix, retentionMs: events.retentionMs, pingEveryMs, log };
  }
  return { backend: 'postgres', pool, listen: { connectionString: database.directUrl }, pingEveryMs, log };
}
