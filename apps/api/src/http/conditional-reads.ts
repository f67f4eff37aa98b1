import type { FastifyInstance, FastifyRequest } from 'fastify';
import { hashOfContent, readTags } from './entity-tag.js';
import { singleHeader } from './request-values.js';

/**
 * Gives every JSON that is read an `ETag`, and answers 304 without it where `If-None-Match` names that (RFC 9110, 13.1.2).
 * What has a version has it in its tag; the tag of everything else is weak, a hash of what is answered. Call it before
 * answers are compressed, so that a tag stands for the content in every coding.
 */
export function answerUnchanged(instance: FastifyInstance): void {
  instance.addHook('onSend', (request, reply, payload, done) => {
    if (!isRead(request) || reply.statusCode !== 200 || typeof payload !== 'string')
      return done(null, payload);
    const version = reply.getHeader('etag');
    const tag = typeof version === 'string' ? version : `W/"${hashOfContent(payload)}"`;
    void reply.header('ETag', tag);
    // Kept by whoever asked, but asked for anew each time: keys end, and things change.
    if (!reply.hasHeader('cache-control')) void reply.header('Cache-Control', 'private, no-cache');
    if (!isNamed(tag, singleHeader(request, 'if-none-match'))) return done(null, payload);
    void reply.status(304).removeHeader('content-type').removeHeader('content-length');
    return done(null, '');
  });
}

function isRead({ method, routeOptions }: FastifyRequest): boolean {
  return (method === 'GET' || method === 'HEAD') && (routeOptions.url ?? '').startsWith('/api/');
}

/** Compares weakly, as is asked for here. A header that cannot be read names nothing: the answer is then the whole thing. */
function isNamed(tag: string, header: string | undefined): boolean {
  if (header === undefined) return false;
  if (header.trim() === '*') return true;
  const wanted = tag.replace(/^W\//, '');
  return (readTags(header) ?? []).some(({ text }) => `"${text}"` === wanted);
}
