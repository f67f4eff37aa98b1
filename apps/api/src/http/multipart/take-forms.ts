import { UnsupportedMediaTypeException } from '@nestjs/common';
import type { FastifyInstance } from 'fastify';

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
