import helmet from 'helmet';
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
 * What browsers should not do with answers of the API.
 *
 * Not `Strict-Transport-Security`: whoever ends TLS in front of this server knows whether all of its host speaks it.
 */
export function sendSecurityHeaders(instance: FastifyInstance): void {
  // Made once: Fastify's plugin for helmet makes them again for every request.
  const [ofData, ofDocuments] = [headersWith(CSP_OF_DATA), headersWith(CSP_OF_DOCUMENTS)];
  instance.addHook('onRequest', ({ raw, routeOptions }, reply, done) => {
    const write = isDocument(routeOptions.url ?? '') ? ofDocuments : ofData;
    write(raw, reply.raw, () => done());
  });
}

function headersWith(directives: Readonly<Record<string, readonly string[]>>): ReturnType<typeof helmet> {
  return helmet({
    contentSecurityPolicy: { useDefaults: false, directives },
    frameguard: { action: 'deny' },
    hsts: false,
    // Of browsers that are long gone.
    ieNoOpen: false,
    permittedCrossDomainPolicies: false,
    xssFilter: false,
  });
}
