import type { FastifyReply, FastifyRequest } from 'fastify';
import type { JsonValue } from '#libs/kernel';
import type { Original, RequestKey } from '#libs/knowledge';
import type { Versioned } from '#libs/persistence';
import { singleHeader } from '../http/request-values.js';
import { hashRequest, parseIdempotencyKey } from '../idempotency/idempotency-key.js';

/** The created resource, or the one that an earlier identical request created. */
export type MadeOnce<View> = Versioned<View> & { readonly isReplayed: boolean };

/** The idempotency key; null without one. Throws for a malformed key. */
export function readUploadKey(request: FastifyRequest): string | null {
  return parseIdempotencyKey(singleHeader(request, 'idempotency-key'));
}

/**
 * The key with a hash of the request.
 * @param route method and path
 * @param said the fields that distinguish two requests, except the uploaded bytes
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

/** Sets `Idempotency-Replayed` if the resource already existed. */
export function sayReplayed<View>(made: MadeOnce<View>, reply: FastifyReply): Versioned<View> {
  if (made.isReplayed) void reply.header('Idempotency-Replayed', 'true');
  return made;
}
