import type { FastifyRequest } from 'fastify';

/** A request header as one text, joined where it was sent more than once; undefined where it was not. */
export function singleHeader(request: Pick<FastifyRequest, 'headers'>, name: string): string | undefined {
  const value = request.headers[name];
  return Array.isArray(value) ? value.join(', ') : value;
}
