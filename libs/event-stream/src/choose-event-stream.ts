import type { Pool } from 'pg';
import type { EventStreamLog } from './event-stream-log.js';
import type { EventStreamOptions } from './open-event-stream.js';

export interface EventStreamPlace {
  /** Live events go through Redis where it is given, else through PostgreSQL. */
  readonly redisUrl: string | null;
  readonly pool: Pool;
  /** For the one LISTEN connection of PostgreSQL. */
  readonly databaseUrl: string;
  readonly retentionMs: number;
  readonly log: EventStreamLog;
}

/** Where the live events of a process are, by what it is configured with. */
export function chooseEventStream({
  redisUrl,
  pool,
  databaseUrl,
  retentionMs,
  log,
}: EventStreamPlace): EventStreamOptions {
  if (redisUrl !== null) return { backend: 'redis', url: redisUrl, retentionMs, log };
  return { backend: 'postgres', pool, listen: { connectionString: databaseUrl }, log };
}
