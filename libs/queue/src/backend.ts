import { setDefaultBackendFactory, type ConnectionOptions } from 'bullmq';
import { createQueueBackend } from './postgres-backend.js';
import type { QueueOptions } from './queue-options.js';
import { createQueuePool } from './queue-pool.js';

const DEFAULT_NAMESPACE = 'capstan';
const MAX_RECONNECT_MS = 2_000;
const CONNECT_WITHIN_MS = 5_000;
/** Default milliseconds of silence after which an unresponsive Redis connection is replaced. */
const SILENCE_MS = 15_000;
/** Minimum of that silence: BullMQ blocks for up to 10 s on a Redis command while it waits for a job. */
const MIN_SILENCE_MS = 12_000;

/** The connection settings of all queues and workers of a process. */
export interface SelectedBackend {
  readonly connection: ConnectionOptions;
  readonly prefix: string;
  /** Closes their shared connections, after they are closed themselves. */
  readonly close: () => Promise<void>;
}

/**
 * Selects BullMQ's backend, one per process. Must run before the first queue or worker is constructed, since BullMQ
 * reads the backend then.
 */
export function selectBackend(options: QueueOptions): SelectedBackend {
  // A hash tag keeps all keys of a queue in one slot of a Redis cluster.
  const prefix = `{${options.namespace ?? DEFAULT_NAMESPACE}}`;
  if (options.redisUrl === null) {
    setDefaultBackendFactory(createQueueBackend);
    const pool = createQueuePool(options.databaseUrl, options.connections);
    return { connection: pool, prefix, close: () => pool.end() };
  }
  setDefaultBackendFactory();
  const retryStrategy = (times: number): number => Math.min(200 * times, MAX_RECONNECT_MS);
  return {
    connection: {
      url: options.redisUrl,
      connectTimeout: CONNECT_WITHIN_MS,
      socketTimeout: Math.max(options.silenceMs ?? SILENCE_MS, MIN_SILENCE_MS),
      maxRetriesPerRequest: null,
      retryStrategy,
    },
    prefix,
    close: () => Promise.resolve(),
  };
}
