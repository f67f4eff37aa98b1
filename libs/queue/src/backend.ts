import { setDefaultBackendFactory, type ConnectionOptions } from 'bullmq';
import { createQueueBackend } from './postgres-backend.js';
import type { QueueOptions } from './queue-options.js';
import { createQueuePool } from './queue-pool.js';

const DEFAULT_NAMESPACE = 'capstan';
const LONGEST_RECONNECT_MS = 2_000;
const CONNECT_WITHIN_MS = 5_000;
/** A connection on which Redis owes an answer and says nothing for so long is replaced. */
const SILENCE_MS = 15_000;
/** BullMQ waits for a job in a command that Redis answers within 10 s: less patience would end every such connection. */
const LEAST_SILENCE_MS = 12_000;

/** How queues and workers of this process connect. */
export interface SelectedBackend {
  readonly connection: ConnectionOptions;
  readonly prefix: string;
  /** Ends what they share, once they are closed. */
  readonly close: () => Promise<void>;
}

/**
 * Chooses BullMQ's backend for this process, which has exactly one. Has to come before the first queue or worker is
 * made: BullMQ asks for the backend when they are constructed.
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
  const retryStrategy = (times: number): number => Math.min(200 * times, LONGEST_RECONNECT_MS);
  return {
    connection: {
      url: options.redisUrl,
      connectTimeout: CONNECT_WITHIN_MS,
      socketTimeout: Math.max(options.silenceMs ?? SILENCE_MS, LEAST_SILENCE_MS),
      maxRetriesPerRequest: null,
      retryStrategy,
    },
    prefix,
    close: () => Promise.resolve(),
  };
}
