export { openRateLimiters, type OpenedRateLimiters, type RateLimiterOptions } from './open-rate-limiters.js';
export type { RateLimit, SharedCounter, Taken } from './point-store.js';
export type { RateLimiter, Standing } from './rate-limiter.js';
