/** One request of a redirect chain. */
export interface Hop {
  readonly url: URL;
  readonly method: string;
  readonly headers: Headers;
  readonly body: Uint8Array<ArrayBuffer> | null;
}

/** `refused`: the request must not follow the redirect. `none`: the response is no redirect. */
export type Redirect =
  { readonly kind: 'none' } | { readonly kind: 'refused' } | { readonly kind: 'follow'; readonly hop: Hop };

/** Permitted redirect targets. With `same_host`, a redirect to another host is returned like any other response. */
export type RedirectScope = 'everywhere' | 'same_host';

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** Headers that may be sent to another origin; any other header may carry a secret. */
const SHOWN_TO_OTHERS: ReadonlySet<string> = new Set([
  'accept',
  'accept-language',
  'content-type',
  'mcp-protocol-version',
  'user-agent',
]);

/**
 * Follows the Fetch standard, but more strictly: another origin receives neither credentials nor a body, and https
 * never redirects to http. With `same_host`, an upgrade from http to https on the default ports counts as the same
 * host.
 */
export function nextHop(
  hop: Hop,
  status: number,
  location: string | null,
  scope: RedirectScope = 'everywhere',
): Redirect {
  if (!REDIRECTS.has(status) || location === null) return { kind: 'none' };
  const url = URL.parse(location, hop.url.href);
  if (scope === 'same_host' && (url === null || !isSameHost(hop.url, url))) return { kind: 'none' };
  if (url === null || !isPlainHttp(url)) return { kind: 'refused' };
  const next = withMethod({ ...hop, url }, status);
  if (url.origin === hop.url.origin || scope === 'same_host') return { kind: 'follow', hop: next };
  if (next.body !== null || (hop.url.protocol === 'https:' && url.protocol === 'http:')) {
    return { kind: 'refused' };
  }
  const shown = [...next.headers].filter(([name]) => SHOWN_TO_OTHERS.has(name));
  return { kind: 'follow', hop: { ...next, headers: new Headers(shown) } };
}

function isSameHost(from: URL, to: URL): boolean {
  if (!isPlainHttp(to)) return false;
  const isUpgrade =
    from.protocol === 'http:' && to.protocol === 'https:' && from.port === '' && to.port === '';
  return to.origin === from.origin || (isUpgrade && to.hostname === from.hostname);
}

/** True for http or https without a user name or password. */
export function isPlainHttp(url: URL): boolean {
  return ['http:', 'https:'].includes(url.protocol) && url.username === '' && url.password === '';
}

function withMethod(hop: Hop, status: number): Hop {
  const asksAnew = status === 303 ? !['GET', 'HEAD'].includes(hop.method) : hop.method === 'POST';
  if (!asksAnew || status === 307 || status === 308) return hop;
  const headers = new Headers(hop.headers);
  for (const name of [...headers.keys()].filter((name) => name.startsWith('content-'))) headers.delete(name);
  return { ...hop, method: 'GET', headers, body: null };
}
