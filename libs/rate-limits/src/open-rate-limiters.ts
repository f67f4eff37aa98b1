import { Redis } from 'ioredis';
import { systemClock } from '#libs/kernel';
import { counterStore, memoryStore, redisStore, type RateLimit, type SharedCounter } from './point-store.js';
import { RateLimiter } from './rate-limiter.js';

const COMMAND_TIMEOUT_MS = 500;
const MAX_RECONNECT_MS = 2_000;

export interface RateLimiterOptions {
  /** Counts points in Redis, under keys of this namespace, or with `counter` if null. */
  readonly redis: { readonly url: string; readonly namespace: string } | null;
  readonly counter: SharedCounter;
  /** Called when the store is unavailable and the process counts alone. May be called often. */
  readonly onFailure: (error: unknown) => void;
}

export interface OpenedRateLimiters {
  readonly limiter: (limit: RateLimit) => RateLimiter;
  readonly close: () => void;
}

/**
 * Opens limiters on one store. With Redis they share a connection, which the first limiter opens and which reconnects
 * by itself.
 */
export function openRateLimiters({
  redis: server,
  counter,
  onFailure,
}: RateLimiterOptions): OpenedRateLimiters {
  let redis: Redis | null = null;
  const storeIn = ({ url, namespace }: { url: string; namespace: string }, limit: RateLimit) => {
    redis ??= connect(url, onFailure);
    // The hash tag keeps all keys in one slot of a Redis cluster.
    return redisStore(redis, limit, `{${namespace}}`);
  };
  return {
    limiter: (limit) => {
      const store = server === null ? counterStore(counter, limit) : storeIn(server, limit);
      return new RateLimiter(limit, store, memoryStore(limit), systemClock, onFailure);
    },
    close: () => redis?.disconnect(),
  };
}

/** No offline queue: the request was answered long before a reconnect. */
function connect(url: string, onFailure: (error: unknown) => void): Redis {
  const redis = new Redis(url, {
    connectionName: 'capstan rate limits',
    commandTimeout: COMMAND_TIMEOUT_MS,
    // Replaces a connection that is silent with commands pending.
    socketTimeout: 3 * COMMAND_TIMEOUT_MS,
    connectTimeout: 5_000,
    disconnectTimeout: 200,
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    retryStrategy: (attempt) => Math.min(100 * attempt, MAX_RECONNECT_MS),
  });
  redis.on('error', onFailure);
  return redis;
}
