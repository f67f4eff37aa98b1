import { MethodNotAllowedException } from '@nestjs/common';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/**
 * Answers 405 with `Allow` for a known path with an unknown method. Call it before routes are registered, and the returned
 * function after the last one.
 */
export function watchRoutes(instance: FastifyInstance): () => void {
  const allowed = new Map<string, Set<string>>();
  instance.addHook('onRoute', ({ url, method }) => {
    const methods = allowed.get(url) ?? new Set();
    for (const name of [method].flat()) methods.add(name);
    allowed.set(url, methods);
  });
  return () => {
    for (const [url, methods] of [...allowed]) refuseOtherMethods(instance, url, [...methods]);
  };
}

function refuseOtherMethods(instance: FastifyInstance, url: string, allowed: readonly string[]): void {
  const refused = METHODS.filter((method) => !allowed.includes(method));
  const refuse = async (_request: FastifyRequest, reply: FastifyReply): Promise<never> => {
    void reply.header('Allow', allowed.join(', '));
    throw new MethodNotAllowedException();
  };
  // Refuses in `onRequest`, before a body is read.
  instance.route({
    method: refused,
    url,
    config: { access: 'public' },
    onRequest: refuse,
    handler: refuse,
  });
}
