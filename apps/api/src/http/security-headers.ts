import type { IncomingMessage, ServerResponse } from 'node:http';
import helmet from 'helmet';
import type { FastifyInstance } from 'fastify';
import { CONSOLE_PATH, isBelow, SITE_PATH } from './page-paths.js';

/** Content Security Policy of data: a browser that opens an answer runs no script and loads nothing. */
const CSP_OF_DATA = { 'default-src': ["'none'"], 'frame-ancestors': ["'none'"], 'base-uri': ["'none'"] };

/**
 * Policy of the documentation site and the API reference: their own files and calls of this API. No script is inline; styles
 * are, since drawings and highlighted code carry their own. The icon font of the reference is part of its script.
 */
const CSP_OF_SITE = {
  ...CSP_OF_DATA,
  'script-src': ["'self'"],
  'style-src': ["'self'", "'unsafe-inline'"],
  'img-src': ["'self'", 'data:'],
  'font-src': ["'self'", 'data:'],
  'connect-src': ["'self'"],
  'form-action': ["'self'"],
};

/**
 * Policy of the console: its own files and calls of this API. No script and no style of a page is inline; the attribute
 * `style` is allowed, by which floating parts are placed.
 */
const CSP_OF_CONSOLE = {
  ...CSP_OF_DATA,
  'script-src': ["'self'"],
  'style-src': ["'self'"],
  'style-src-attr': ["'unsafe-inline'"],
  'img-src': ["'self'", 'data:', 'blob:'],
  'font-src': ["'self'"],
  'connect-src': ["'self'"],
  'form-action': ["'self'"],
};

/**
 * Sends security headers with every answer.
 *
 * It omits `Strict-Transport-Security`: only the operator of the TLS terminator knows whether the whole host supports TLS.
 */
export function sendSecurityHeaders(instance: FastifyInstance): void {
  const ofData = headersWith(CSP_OF_DATA);
  const [ofSite, ofConsole] = [headersWith(CSP_OF_SITE), headersWith(CSP_OF_CONSOLE)];
  instance.addHook('onRequest', ({ routeOptions }, reply, done) => {
    const { url = '' } = routeOptions;
    void reply.headers(isBelow(url, SITE_PATH) ? ofSite : isBelow(url, CONSOLE_PATH) ? ofConsole : ofData);
    done();
  });
}

/** The headers under a policy, read from helmet once: its middlewares would build them for every request. */
function headersWith(
  directives: Readonly<Record<string, readonly string[]>>,
): Readonly<Record<string, string>> {
  const write = helmet({
    contentSecurityPolicy: { useDefaults: false, directives },
    frameguard: { action: 'deny' },
    hsts: false,
    // Headers that only obsolete browsers read.
    ieNoOpen: false,
    permittedCrossDomainPolicies: false,
    xssFilter: false,
  });
  const headers: Record<string, string> = {};
  const response = {
    setHeader: (name: string, value: string) => (headers[name] = value),
    removeHeader: () => undefined,
  };
  write({} as IncomingMessage, response as unknown as ServerResponse, (error: unknown) => {
    if (error !== undefined) throw new Error('helmet has built no headers', { cause: error });
  });
  return headers;
}
