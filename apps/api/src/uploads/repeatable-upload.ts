import type { FastifyReply, FastifyRequest } from 'fastify';
import type { JsonValue } from '#libs/kernel';
import type { Original, RequestKey } from '#libs/knowledge';
import type { Versioned } from '#libs/persistence';
import { singleHeader } from '../http/request-values.js';
import { hashRequest, parseIdempotencyKey } from '../idempotency/idempotency-key.js';

/** What was made, now or by the same request before. */
export type MadeOnce<View> = Versioned<View> & { readonly isReplayed: boolean };

/** Null without one. Throws for what is none. */
export function readUploadKey(request: FastifyRequest): string | null {
  return parseIdempotencyKey(singleHeader(request, 'idempotency-key'));
}

/**
 * @param route method and path
 * @param said whatever distinguishes two requests, but the bytes that they bring
 */
export function requestKeyOf(
  key: string | null,
  route: string,
  said: JsonValue,
  original: Original | null,
): RequestKey | null {
  if (key === null) return null;
  const bytes = original === null ? null : original.contentHash.toString('hex');
  return { key, requestSha256: hashRequest(route, { said, bytes }) };
}

/** Says in a header that nothing new was made, where that is so. */
export function sayReplayed<View>(made: MadeOnce<View>, reply: FastifyReply): Versioned<View> {
  if (made.isReplayed) void reply.header('Idempotency-Replayed', 'true');
  return made;
}
