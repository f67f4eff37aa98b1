import { setDefaultBackendFactory, type ConnectionOptions, type PostgresPoolConfig } from 'bullmq';
import { createQueueBackend } from './postgres-backend.js';
import type { QueueOptions } from './queue-options.js';

/** A hash tag keeps all keys of a queue in one slot of a Redis cluster. */
const DEFAULT_PREFIX = '{capstan}';
const CONNECTIONS_PER_QUEUE = 3;
const LONGEST_RECONNECT_MS = 2_000;

/**
 * Chooses BullMQ's backend for this process, which has exactly one. Has to come before the first queue or worker is
 * made: BullMQ asks for the backend when they are constructed.
 */
export function selectBackend(options: QueueOptions): { connection: ConnectionOptions; prefix: string } {
  const prefix = options.prefix ?? DEFAULT_PREFIX;
  if (options.redisUrl === null) {
    setDefaultBackendFactory(createQueueBackend);
    const pool: PostgresPoolConfig = {
      connectionString: options.databaseUrl,
      max: CONNECTIONS_PER_QUEUE,
      keepAlive: true,
      // What a crash of the database takes from the queue is sent again: nobody waits until its disk has it.
      options: '-c synchronous_commit=off',
    };
    return { connection: pool, prefix };
  }
  setDefaultBackendFactory();
  const retryStrategy = (times: number): number => Math.min(200 * times, LONGEST_RECONNECT_MS);
  return { connection: { url: options.redisUrl, maxRetriesPerRequest: null, retryStrategy }, prefix };
}
