import type { PoolConfig } from 'pg';

/** Where the queues live: in Redis when a URL is given, else in PostgreSQL. */
export interface QueueOptions {
  readonly redisUrl: string | null;
  readonly databaseUrl: string;
  /** How connections to that database are made and watched over, beside where they lead. */
  readonly connections: PoolConfig;
  /** A Redis connection that owes an answer and says nothing for so long is replaced; 15 s when omitted. */
  readonly silenceMs?: number;
  /** What the keys of the queues in Redis begin with; `capstan` when omitted. */
  readonly namespace?: string;
  /** Connection trouble that BullMQ reports; it reconnects by itself. */
  onError(error: Error): void;
}
