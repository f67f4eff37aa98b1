import type { IncomingHttpHeaders } from 'node:http';
import type { AppConfig } from '#libs/config';
import { AppError } from '#libs/kernel';
import type { Logger } from '#libs/observability';

/** Requires a second setting for `AUTH=off` in production, and logs a warning. Throws `INVALID_CONFIGURATION`. */
export function warnOfDisabledAuth({ environment, http }: AppConfig, logger: Logger): void {
  if (environment !== 'production' || http.auth !== 'off') return;
  if (!http.isOpenInProduction) {
    throw new AppError({
      code: 'INVALID_CONFIGURATION',
      kind: 'invalid_input',
      message:
        'AUTH: "off" under NODE_ENV=production lets every program of this machine act without a key; set AUTH=api-key, or AUTH_OFF_IN_PRODUCTION=true if that is what you want',
    });
  }
  logger.warn(
    { auth: http.auth },
    'AUTH=off in production: every program of this machine acts for the tenant "default" without a key',
  );
}

/** `localhost`, 127.0.0.0/8 and `[::1]`, each with or without a port. */
const LOOPBACK_HOST = /^(localhost|127(\.(25[0-5]|2[0-4]\d|1?\d?\d)){3}|\[::1\])(:\d{1,5})?$/i;

export function isLoopbackHost(host: string): boolean {
  return LOOPBACK_HOST.test(host);
}

/** Headers that proxies and load balancers add to forwarded requests. */
const FORWARDED = /^(forwarded|via|x-real-ip|x-client-ip|true-client-ip|cf-connecting-ip|x-forwarded-.+)$/;

/**
 * With `AUTH=off`, refuses requests that no program of this machine sent directly. A loopback address is no proof: web pages
 * get there by DNS rebinding or cross-site requests, and a reverse proxy forwards those of strangers. Throws `NOT_LOCAL`
 * (403).
 */
export function requireLocal(headers: IncomingHttpHeaders): void {
  const sign = findForeignSign(headers);
  if (sign === null) return;
  throw new AppError({
    code: 'NOT_LOCAL',
    kind: 'denied',
    message: `${sign}; with AUTH=off only programs of this machine are served: set AUTH=api-key to serve others`,
  });
}

function findForeignSign(headers: IncomingHttpHeaders): string | null {
  const { host = '', origin } = headers;
  if (!LOOPBACK_HOST.test(host)) return 'Host must be localhost, 127.0.0.1 or [::1]';
  // Same-origin pages of this server, for example /docs, are allowed; pages of another port are not.
  if (origin !== undefined && origin.toLowerCase() !== `http://${host.toLowerCase()}`)
    return 'Origin must not be another site';
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin' && site !== 'none')
    return 'Sec-Fetch-Site must be same-origin or none';
  const forwarded = Object.keys(headers).find((name) => FORWARDED.test(name));
  return forwarded === undefined ? null : `the header ${forwarded} says that the request was forwarded`;
}
