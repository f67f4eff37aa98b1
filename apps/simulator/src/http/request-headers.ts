import type { IncomingHttpHeaders } from 'node:http';

const SECRET = new Set(['authorization', 'api-key', 'x-api-key', 'cookie', 'proxy-authorization']);

/** Header with the key of the test that a request belongs to. */
const KEY_HEADER = 'x-sim-key';

/** Headers as text, without those that hold a secret. */
export function harmlessHeaders(headers: IncomingHttpHeaders): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined || SECRET.has(name) ? [] : [[name, [value].flat().join(', ')]],
    ),
  );
}

/** The key of the request header, or null. */
export function keyOfHeaders(headers: IncomingHttpHeaders): string | null {
  return [headers[KEY_HEADER]].flat()[0] ?? null;
}
