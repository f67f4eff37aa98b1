import { Redis } from 'ioredis';
import { systemClock } from '#libs/kernel';
import { counterStore, memoryStore, redisStore, type RateLimit, type SharedCounter } from './point-store.js';
import { RateLimiter } from './rate-limiter.js';

const COMMAND_TIMEOUT_MS = 500;
const LONGEST_RECONNECT_MS = 2_000;

export interface RateLimiterOptions {
  /** Where the points are counted: in Redis, under keys of this namespace, or by `counter` where it is null. */
  readonly redis: { readonly url: string; readonly namespace: string } | null;
  readonly counter: SharedCounter;
  /** The store cannot be asked; this process counts alone meanwhile. May come often. */
  readonly onFailure: (error: unknown) => void;
}

export interface OpenedRateLimiters {
  readonly limiter: (limit: RateLimit) => RateLimiter;
  readonly close: () => void;
}

/** Makes limiters on one store; with Redis on a connection of their own, which the first
 * limiter opens and which comes back by itself. */
export function openRateLimiters({
  redis: server,
  counter,
  onFailure,
}: RateLimiterOptions): OpenedRateLimiters {
  let redis: Redis | null = null;
  const storeIn = ({ url, namespace }: { url: string; namespace: string }, limit: RateLimit) => {
    redis ??= connect(url, onFailure);
    // A hash tag keeps them in one slot of a Redis cluster.
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

/** No command is kept for later: its request is answered long before. */
function connect(url: string, onFailure: (error: unknown) => void): Redis {
  const redis = new Redis(url, {
    connectionName: 'capstan rate limits',
    commandTimeout: COMMAND_TIMEOUT_MS,
    // Silent while it owes an answer: replaced.
    socketTimeout: 3 * COMMAND_TIMEOUT_MS,
    connectTimeout: 5_000,
    disconnectTimeout: 200,
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    retryStrategy: (attempt) => Math.min(100 * attempt, LONGEST_RECONNECT_MS),
  });
  redis.on('error', onFailure);
  return redis;
}
