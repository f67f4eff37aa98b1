/** Where the queues live: in Redis when a URL is given, else in PostgreSQL. */
export interface QueueOptions {
  readonly redisUrl: string | null;
  readonly databaseUrl: string;
  /** Namespace of the queues in Redis. */
  readonly prefix?: string;
  /** Connection trouble that BullMQ reports; it reconnects by itself. */
  onError(error: Error): void;
}
