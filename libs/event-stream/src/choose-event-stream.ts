import type { Pool } from 'pg';
import type { EventStreamLog } from './event-stream-log.js';
import type { EventStreamOptions } from './open-event-stream.js';

/** The settings of a process that concern live events. */
export interface EventStreamSettings {
  /** `namespace` prefixes all keys. */
  readonly redis: { readonly url: string; readonly namespace: string } | null;
  /**
   * `pingEveryMs`: interval of health checks on the listening connection, for either backend. `directUrl` bypasses a
   * pooler, which would not forward notifications.
   */
  readonly database: { readonly directUrl: string; readonly pingEveryMs: number };
  readonly events: { readonly retentionMs: number };
}

/** The surroundings of live events in a process. */
interface EventStreamSurroundings {
  readonly pool: Pool;
  readonly log: EventStreamLog;
  /** Whether events of executions without a follower are written later; costs a connection. By default true. */
  readonly hearsFollowers?: boolean;
}

/**
 * Chooses the backend of live events: Redis if it is configured, else PostgreSQL over `pool` plus one LISTEN
 * connection.
 */
export function chooseEventStream(
  { redis, database, events }: EventStreamSettings,
  { pool, log, hearsFollowers = true }: EventStreamSurroundings,
): EventStreamOptions {
  const { pingEveryMs } = database;
  const common = { pingEveryMs, hearsFollowers, log };
  if (redis !== null) {
    const keyPrefix = `${redis.namespace}:events`;
    return { backend: 'redis', url: redis.url, keyPrefix, retentionMs: events.retentionMs, ...common };
  }
  return { backend: 'postgres', pool, listen: { connectionString: database.directUrl }, ...common };
}
