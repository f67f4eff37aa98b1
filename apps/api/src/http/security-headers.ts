import helmet from '@fastify/helmet';
import type { FastifyInstance } from 'fastify';
import { isDocument } from './documents.js';

/** Of an answer that is data: whoever opens it in a browser gets no script, no frame and nothing else to run. */
const CSP_OF_DATA = { 'default-src': ["'none'"], 'frame-ancestors': ["'none'"], 'base-uri': ["'none'"] };

/** Of the page that shows the document: its own files, and calls of this API. Its styles stand in the page. */
const CSP_OF_DOCUMENTS = {
  ...CSP_OF_DATA,
  'script-src': ["'self'"],
  'style-src': ["'self'", "'unsafe-inline'"],
  'img-src': ["'self'", 'data:'],
  'connect-src': ["'self'"],
  'form-action': ["'self'"],
};

/**
 * What browsers should not do with answers of the API. Call it before any route is registered.
 *
 * Not `Strict-Transport-Security`: whoever ends TLS in front of this server knows whether all of its host speaks it.
 */
export async function sendSecurityHeaders(instance: FastifyInstance): Promise<void> {
  instance.addHook('onRoute', (route) => {
    if (isDocument(route.url))
      route.helmet = { contentSecurityPolicy: { useDefaults: false, directives: CSP_OF_DOCUMENTS } };
  });
  await instance.register(helmet, {
    contentSecurityPolicy: { useDefaults: false, directives: CSP_OF_DATA },
    frameguard: { action: 'deny' },
    hsts: false,
    // Of browsers that are long gone.
    ieNoOpen: false,
    permittedCrossDomainPolicies: false,
    xssFilter: false,
  });
}
