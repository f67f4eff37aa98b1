import { Redis } from 'ioredis';
import { systemClock } from '#libs/kernel';
import { counterStore, memoryStore, redisStore, type RateLimit, type SharedCounter } from './point-store.js';
import { RateLimiter } from './rate-limiter.js';

const COMMAND_TIMEOUT_MS = 500;
const LONGEST_RECONNECT_MS = 2_000;
/** A hash tag keeps them in one slot of a Redis cluster. */
const PREFIX = '{capstan}';

export interface RateLimiterOptions {
  /** Where the points are counted: in Redis when a URL is given, else by `counter`. */
  readonly redisUrl: string | null;
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
export function openRateLimiters({ redisUrl, counter, onFailure }: RateLimiterOptions): OpenedRateLimiters {
  let redis: Redis | null = null;
  return {
    limiter: (limit) => {
      if (redisUrl !== null) redis ??= connect(redisUrl, onFailure);
      const store = redis === null ? counterStore(counter, limit) : redisStore(redis, limit, PREFIX);
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
