import {
  createPostgresBackend,
  setDefaultBackendFactory,
  type ConnectionOptions,
  type PostgresPoolConfig,
} from 'bullmq';
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
    setDefaultBackendFactory(createPostgresBackend);
    const pool: PostgresPoolConfig = {
      connectionString: options.databaseUrl,
      max: CONNECTIONS_PER_QUEUE,
      keepAlive: true,
    };
    return { connection: pool, prefix };
  }
  setDefaultBackendFactory();
  const retryStrategy = (times: number): number => Math.min(200 * times, LONGEST_RECONNECT_MS);
  return { connection: { url: options.redisUrl, maxRetriesPerRequest: null, retryStrategy }, prefix };
}
