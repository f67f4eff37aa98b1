import type { FastifyInstance } from 'fastify';
import { MAX_DOCUMENT_BYTES } from '#libs/tooling';

/** Where a body may hold the description of an API; as JSON it takes more bytes than by itself. */
export const LONG_BODIES = '/api/mcp-servers';
/** 24 MiB. */
export const MAX_LONG_BODY_BYTES = MAX_DOCUMENT_BYTES * 1.5;

/** Lets the routes that take documents take long bodies; call it before there are routes. */
export function allowLongBodies(instance: FastifyInstance): void {
  instance.addHook('onRoute', (route) => {
    const isLong = route.url === LONG_BODIES || route.url === `${LONG_BODIES}/:id`;
    if (isLong) route.bodyLimit = MAX_LONG_BODY_BYTES;
  });
}
