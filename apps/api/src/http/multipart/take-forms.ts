import { UnsupportedMediaTypeException } from '@nestjs/common';
import type { FastifyInstance } from 'fastify';
import { allowLongBody } from '#libs/http-server';
import { findEncoding } from '../encoded-body.js';

const FORM = 'multipart/form-data';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether the route itself reads `multipart/form-data`, with `readForm`. */
    takesForms?: boolean;
  }
}

/** Leaves form bodies to routes that read them; others answer 415. Call it after `readJsonBodies`. */
export function takeForms(instance: FastifyInstance): void {
  instance.addContentTypeParser(FORM, (request, _bytes, done) => {
    if (request.routeOptions.config.takesForms !== true) return done(new UnsupportedMediaTypeException());
    const encoded = findEncoding(request);
    if (encoded !== null) return done(encoded);
    allowLongBody(request.raw);
    return done(null, undefined);
  });
}
