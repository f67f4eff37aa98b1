import type { FastifyRequest } from 'fastify';
import { AppError } from '#libs/kernel';
import { singleHeader } from './request-values.js';

const SAFE_METHODS = ['GET', 'HEAD', 'OPTIONS'];

type Sent = Pick<FastifyRequest, 'method' | 'headers' | 'host'>;

/**
 * Refuses a change that a browser may have been made to ask for by a page of another origin: its session cookie comes along
 * by itself. Throws `CROSS_SITE_REQUEST` (403), also where no header says which page it was.
 */
export function requireSameOrigin(request: Sent): void {
  if (!SAFE_METHODS.includes(request.method) && !isSameOrigin(request, false)) throw crossSite();
}

/** Refuses a request of a page of another origin; programs that are no browser say nothing of their origin. */
export function refuseOtherOrigins(request: Sent): void {
  if (!isSameOrigin(request, true)) throw crossSite();
}

/**
 * `Sec-Fetch-Site` decides where it is sent: no page can forge it, and no proxy changes it, unlike `Host`.
 *
 * @param unknown answer for a request with neither header
 */
function isSameOrigin(request: Sent, unknown: boolean): boolean {
  const site = singleHeader(request, 'sec-fetch-site');
  if (site !== undefined) return site === 'same-origin';
  const origin = singleHeader(request, 'origin');
  if (origin === undefined) return unknown;
  return URL.canParse(origin) && new URL(origin).host === request.host.toLowerCase();
}

function crossSite(): AppError {
  return new AppError({
    code: 'CROSS_SITE_REQUEST',
    kind: 'denied',
    message:
      'with the cookie of a session only pages of this origin may change something: Sec-Fetch-Site must be same-origin, or Origin that of this server',
  });
}
