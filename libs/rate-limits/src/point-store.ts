import {
  RateLimiterMemory,
  RateLimiterRedis,
  RateLimiterRes,
  type RateLimiterAbstract,
} from 'rate-limiter-flexible';
import type { Redis } from 'ioredis';

/** So many of something in so many seconds. */
export interface RateLimit {
  /** Names the limit, in headers and stores: letters only. */
  readonly name: string;
  readonly points: number;
  readonly windowSeconds: number;
}

/** What a window holds after points were taken from it. */
export interface Taken {
  /** Of everybody in this window, with those that were taken beyond the limit. */
  readonly points: number;
  /** Milliseconds to the end of the window. */
  readonly expiresInMs: number;
}

/** Counts points in windows that begin with the first point. */
export interface PointStore {
  /** Adds points of a subject; throws when the store cannot be asked. */
  take(subject: string, points: number): Promise<Taken>;
}

/** A counter that every process shares; it measures windows by its own clock. */
export interface SharedCounter {
  add(key: string, points: number, windowMs: number): Promise<Taken>;
}

/** Shared by all processes, in a database. The library's own store for PostgreSQL trusts the clock of each process. */
export function counterStore(counter: SharedCounter, { name, windowSeconds }: RateLimit): PointStore {
  return {
    take: (subject, points) => counter.add(`${name}:${subject}`, points, windowSeconds * 1_000),
  };
}

/** Shared by all processes, in Redis. */
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

/** Of this process alone. */
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

/** The library throws its answer where it means no. */
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
