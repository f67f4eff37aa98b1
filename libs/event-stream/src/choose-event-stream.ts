import type { Pool } from 'pg';
import type { EventStreamLog } from './event-stream-log.js';
import type { EventStreamOptions } from './open-event-stream.js';

/** What a process is configured with, as far as its live events go. */
export interface EventStreamSettings {
  readonly redis: { readonly url: string } | null;
  /**
   * `pingEveryMs`: how often the connection that listens is asked whether it is still there, whichever server it leads
   * to.
   */
  readonly database: { readonly url: string; readonly pingEveryMs: number };
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
  if (redis !== null)
    return { backend: 'redis', url: redis.url, retentionMs: events.retentionMs, pingEveryMs, log };
  return { backend: 'postgres', pool, listen: { connectionString: database.url }, pingEveryMs, log };
}
