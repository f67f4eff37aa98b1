import {
  RateLimiterMemory,
  RateLimiterRedis,
  RateLimiterRes,
  type RateLimiterAbstract,
} from 'rate-limiter-flexible';
import type { Redis } from 'ioredis';

/** A number of points per window. */
export interface RateLimit {
  /** Name of the limit in headers and stores: letters only. */
  readonly name: string;
  readonly points: number;
  readonly windowSeconds: number;
}

/** The state of a window after points were taken. */
export interface Taken {
  /** Points that all processes took in this window, including those beyond the limit. */
  readonly points: number;
  /** Milliseconds until the window ends. */
  readonly expiresInMs: number;
}

/** Counts points per subject in windows that begin with the first point. */
export interface PointStore {
  /** Adds points to a subject's window; throws if the store is unavailable. */
  take(subject: string, points: number): Promise<Taken>;
}

/** A counter shared by all processes, which measures windows by its own clock. */
export interface SharedCounter {
  add(key: string, points: number, windowMs: number): Promise<Taken>;
}

/**
 * A store shared by all processes, in a database. The library's own PostgreSQL store relies on each process's clock.
 */
export function counterStore(counter: SharedCounter, { name, windowSeconds }: RateLimit): PointStore {
  return {
    take: (subject, points) => counter.add(`${name}:${subject}`, points, windowSeconds * 1_000),
  };
}

/** A store shared by all processes, in Redis. */
export function redisStore(
  redis: Redis,
  { name, points, windowSeconds }: RateLimit,
  prefix: string,
): PointStore {
  return limiterStore(
    new RateLimiterRedis({
      storeClient: redis,
      keyPrefix: `${prefix}:rate:${name}`,
      points,
      duration: windowSeconds,
    }),
  );
}

/** A store of this process only. */
export function memoryStore({ name, points, windowSeconds }: RateLimit): PointStore {
  return limiterStore(new RateLimiterMemory({ keyPrefix: name, points, duration: windowSeconds }));
}

function limiterStore(limiter: RateLimiterAbstract): PointStore {
  return {
    take: async (subject, points) => {
      const { consumedPoints, msBeforeNext } = await consume(limiter, subject, points);
      return { points: consumedPoints, expiresInMs: msBeforeNext };
    },
  };
}

/** The library throws its result if the limit is exceeded. */
async function consume(
  limiter: RateLimiterAbstract,
  subject: string,
  points: number,
): Promise<RateLimiterRes> {
  try {
    return await limiter.consume(subject, points);
  } catch (answer) {
    if (answer instanceof RateLimiterRes) return answer;
    throw answer;
  }
}
