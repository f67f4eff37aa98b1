import cors from '@fastify/cors';
import type { FastifyInstance } from 'fastify';

/** Request headers that scripts of allowed origins may send beyond the CORS-safelisted ones. */
const REQUEST_HEADERS = [
  ...['Authorization', 'Content-Type', 'Idempotency-Key', 'If-Match', 'If-None-Match'],
  ...['Last-Event-ID', 'Prefer', 'X-Request-Id'],
];

/** Answer headers that scripts may read beyond the CORS-safelisted ones. */
const ANSWER_HEADERS = [
  ...['ETag', 'Idempotency-Replayed', 'Location', 'Preference-Applied', 'RateLimit', 'RateLimit-Policy'],
  ...['Retry-After', 'WWW-Authenticate', 'X-Request-Id', 'x-should-retry'],
];

const PREFLIGHT_SECONDS = 600;

/**
 * Lets pages of these origins call the API. Must be registered before authentication, since preflights carry no key.
 * Credentials mode stays off: the API uses no cookies.
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
