import type { PoolConfig } from 'pg';

/** The backend of the queues: Redis if a URL is given, else PostgreSQL. */
export interface QueueOptions {
  readonly redisUrl: string | null;
  readonly databaseUrl: string;
  /** Pool settings of the database connections, without their URL. */
  readonly connections: PoolConfig;
  /** Milliseconds of silence after which an unresponsive Redis connection is replaced; default 15 000. */
  readonly silenceMs?: number;
  /** Prefix of the queues' keys in Redis; default `capstan`. */
  readonly namespace?: string;
  /** Receives connection errors from BullMQ, which reconnects by itself. */
  onError(error: Error): void;
}
