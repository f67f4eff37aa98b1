import type { FastifyInstance } from 'fastify';
import { MAX_DOCUMENT_BYTES } from '#libs/tooling';

/** Routes with long bodies: they may contain an API description, which JSON escaping lengthens. */
export const LONG_BODIES = '/api/mcp-servers';
/** Maximum long body: 24 MiB. */
export const MAX_LONG_BODY_BYTES = MAX_DOCUMENT_BYTES * 1.5;

/** Raises the body limit of routes that take API descriptions; call it before routes are registered. */
export function allowLongBodies(instance: FastifyInstance): void {
  instance.addHook('onRoute', (route) => {
    const isLong = route.url === LONG_BODIES || route.url === `${LONG_BODIES}/:id`;
    if (isLong) route.bodyLimit = MAX_LONG_BODY_BYTES;
  });
}
