import { baseUrlOf, type ClientConnection } from './connection.js';

/** URL and headers of requests; header names in lower case. */
export interface RequestAddress {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** `User-Agent` of all requests. */
const USER_AGENT = 'capstan';

/**
 * URL and headers that the official client would use for a path. The client itself is avoided, because it loads several
 * megabytes of unused resources.
 *
 * @param path path below the version path, e.g. `/responses`
 */
export function requestAddress(connection: ClientConnection, path: string): RequestAddress {
  const url = new URL(baseUrlOf(connection));
  url.pathname = url.pathname.replace(/\/$/u, '') + path;
  const query = url.searchParams;
  for (const [name, value] of Object.entries(connection.query ?? {})) query.set(name, value);
  // Encodes spaces as %20, which every server decodes, unlike the form encoding `+`.
  url.search = query.toString().replaceAll('+', '%20');
  return { url: url.href, headers: headersOf(connection) };
}

function headersOf({ apiKey, organization, headers }: ClientConnection): Record<string, string> {
  const sent = new Headers({
    accept: 'application/json',
    'content-type': 'application/json',
    'user-agent': USER_AGENT,
    ...(apiKey !== null && { authorization: `Bearer ${apiKey}` }),
    ...(organization && { 'openai-organization': organization }),
  });
  for (const [name, value] of Object.entries(headers ?? {})) {
    if (value === null) sent.delete(name);
    else sent.set(name, value);
  }
  return Object.fromEntries(sent);
}
