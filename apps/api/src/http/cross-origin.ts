import cors from '@fastify/cors';
import type { FastifyInstance } from 'fastify';

/** What scripts may send, besides what every page may. */
const REQUEST_HEADERS = [
  ...['Authorization', 'Content-Type', 'Idempotency-Key', 'If-Match', 'If-None-Match'],
  ...['Last-Event-ID', 'Prefer', 'X-Request-Id'],
];

/** What scripts may read of an answer, besides what every page may. */
const ANSWER_HEADERS = [
  ...['ETag', 'Idempotency-Replayed', 'Location', 'Preference-Applied', 'RateLimit', 'RateLimit-Policy'],
  ...['Retry-After', 'WWW-Authenticate', 'X-Request-Id', 'x-should-retry'],
];

const PREFLIGHT_SECONDS = 600;

/**
 * Lets pages of these origins, and no others, call the API with a key. Browsers ask first without one, so it has to be
 * called before requests are judged. Cookies are never let through: there are none.
 */
export async function allowOrigins(instance: FastifyInstance, origins: readonly string[]): Promise<void> {
  if (origins.length === 0) return;
  await instance.register(cors, {
    origin: [...origins],
    methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    allowedHeaders: REQUEST_HEADERS,
    exposedHeaders: ANSWER_HEADERS,
    maxAge: PREFLIGHT_SECONDS,
  });
}
