import { UnsupportedMediaTypeException } from '@nestjs/common';
import type { FastifyInstance } from 'fastify';
import { allowLongBody } from '#libs/http-server';
import { findEncoding } from '../encoded-body.js';

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
    if (request.routeOptions.config.takesForms !== true) return done(new UnsupportedMediaTypeException());
    const encoded = findEncoding(request);
    if (encoded !== null) return done(encoded);
    allowLongBody(request.raw);
    return done(null, undefined);
  });
}
