import type { IncomingHttpHeaders } from 'node:http';
import { AppError } from '#libs/kernel';

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
