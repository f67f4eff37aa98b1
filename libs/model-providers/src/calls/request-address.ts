import type { ClientConnection } from './connection.js';

/** OpenAI itself. */
export const OPENAI_BASE_URL = 'https://api.openai.com/v1';

/** Where requests go, and what their headers are, by their names in lower case. */
export interface RequestAddress {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** What we say that we are. */
const USER_AGENT = 'capstan';

/**
 * Where the official client would post to a path of a server, with the headers that a server reads. The client itself is
 * several megabytes of resources that no call uses.
 * @param path below the version path, e.g. `/responses`
 */
export function requestAddress(connection: ClientConnection, path: string): RequestAddress {
  const url = new URL(connection.baseUrl || OPENAI_BASE_URL);
  url.pathname = url.pathname.replace(/\/$/u, '') + path;
  const query = url.searchParams;
  for (const [name, value] of Object.entries(connection.query ?? {})) query.set(name, value);
  // A space as every server reads it, not as a form has it.
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
