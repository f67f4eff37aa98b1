import { UnsupportedMediaTypeException } from '@nestjs/common';
import type { FastifyInstance, FastifyRequest } from 'fastify';

const FORM = 'multipart/form-data';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether the route reads `multipart/form-data` by itself, with `readForm`. */
    takesForms?: boolean;
  }
}

/** Leaves the bytes of a form to the routes that take forms; others answer 415. Call it after `readJsonBodies`. */
export function takeForms(instance: FastifyInstance): void {
  instance.addContentTypeParser(FORM, (request, _bytes, done) => {
    if (request.routeOptions.config.takesForms === true) done(null, undefined);
    else done(new UnsupportedMediaTypeException());
  });
}

/** Whether the body of a request to a route that takes forms is one, and not JSON. */
export function isForm({ headers }: Pick<FastifyRequest, 'headers'>): boolean {
  return /^multipart\/form-data\s*(;|$)/i.test(headers['content-type'] ?? '');
}
