import type { AccessTokens } from '#libs/tooling';
import { readChallenge } from './late-oauth.js';

/** One retry for an expired token and one for an insufficient scope; later rejections are returned. */
const MAX_RENEWALS = 2;
/** Statuses that may reject the token. */
const REFUSALS: ReadonlySet<number> = new Set([401, 403]);

/**
 * A `fetch` that adds an access token to requests for one server's origin. A rejected request is repeated with a
 * renewed token, since it had no effect. Rethrows errors of the tokens.
 *
 * @param onToken called with each token sent, so that it can be redacted
 */
export function authorizedFetch(
  fetchOnce: typeof fetch,
  access: AccessTokens,
  serverUrl: string,
  onToken: (token: string) => void = () => undefined,
): typeof fetch {
  const { origin } = new URL(serverUrl);
  return async (input, init) => {
    const url = input instanceof Request ? input.url : String(input);
    if (URL.parse(url)?.origin !== origin) return fetchOnce(input, init);
    const signal = init?.signal ?? UNENDING;
    let token = await access.current(signal);
    for (let renewals = 0; ; renewals += 1) {
      onToken(token);
      const answer = await fetchOnce(input, withToken(init, token));
      if (!REFUSALS.has(answer.status) || renewals === MAX_RENEWALS) return answer;
      const challenge = await readChallenge(answer);
      if (challenge === null) return answer;
      await answer.body?.cancel().catch(() => undefined);
      token = await access.renew(token, challenge, signal);
    }
  };
}

const UNENDING = new AbortController().signal;

function withToken(init: RequestInit | undefined, token: string): RequestInit {
  const headers = new Headers(init?.headers);
  headers.set('authorization', `Bearer ${token}`);
  return { ...init, headers };
}
