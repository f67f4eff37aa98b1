import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { hashOfContent, readTags } from './entity-tag.js';
import { singleHeader } from './request-values.js';

/**
 * Adds an `ETag` to every JSON answer of a read, and answers 304 where `If-None-Match` matches (RFC 9110, 13.1.2), for a
 * file that brings a tag as well. Versioned resources bring their own tag; others get a weak hash of the body. Must run
 * before compression, so that one tag covers all encodings.
 */
export function answerUnchanged(instance: FastifyInstance): void {
  instance.addHook('onSend', (request, reply, payload, done) => {
    if (!isRead(request) || reply.statusCode !== 200) return done(null, payload);
    const version = reply.getHeader('etag');
    const hashed = typeof payload === 'string' ? `W/"${hashOfContent(payload)}"` : null;
    const tag = typeof version === 'string' ? version : hashed;
    if (tag === null) return done(null, payload);
    void reply.header('ETag', tag);
    // A client may cache the answer, but must revalidate it: keys expire and data changes.
    if (!reply.hasHeader('cache-control')) void reply.header('Cache-Control', 'private, no-cache');
    if (!isNamed(tag, singleHeader(request, 'if-none-match'))) return done(null, payload);
    if (payload instanceof Readable) payload.destroy();
    void reply.status(304).removeHeader('content-type').removeHeader('content-length');
    return done(null, '');
  });
}

function isRead({ method, routeOptions }: FastifyRequest): boolean {
  return (method === 'GET' || method === 'HEAD') && (routeOptions.url ?? '').startsWith('/api/');
}

/** Weak comparison, as `If-None-Match` requires. A malformed header matches nothing, so the full answer is sent. */
function isNamed(tag: string, header: string | undefined): boolean {
  if (header === undefined) return false;
  if (header.trim() === '*') return true;
  const wanted = tag.replace(/^W\//, '');
  return (readTags(header) ?? []).some(({ text }) => `"${text}"` === wanted);
}
