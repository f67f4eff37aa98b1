import type { IncomingHttpHeaders } from 'node:http';
import type { AppConfig } from '#libs/config';
import { AppError } from '#libs/kernel';
import type { Logger } from '#libs/observability';

/** Serving without keys in production has to be asked for twice, and is said loudly. Throws `INVALID_CONFIGURATION`. */
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

/** What proxies and load balancers add to requests of others. */
const FORWARDED = /^(forwarded|via|x-real-ip|x-client-ip|true-client-ip|cf-connecting-ip|x-forwarded-.+)$/;

/**
 * Refuses, where no key is asked for (`AUTH=off`), whatever does not come from a program of this machine by itself. A
 * loopback address alone does not say: web pages reach it by a name that they point there (DNS rebinding) or by a plain
 * request across sites, and a reverse proxy makes everybody's requests its own. Throws `NOT_LOCAL`, answered 403.
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
  // A page that this server itself has served, such as /docs, may ask; one of another port may not.
  if (origin !== undefined && origin.toLowerCase() !== `http://${host.toLowerCase()}`)
    return 'Origin must not be another site';
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin' && site !== 'none')
    return 'Sec-Fetch-Site must be same-origin or none';
  const forwarded = Object.keys(headers).find((name) => FORWARDED.test(name));
  return forwarded === undefined ? null : `the header ${forwarded} says that the request was forwarded`;
}
