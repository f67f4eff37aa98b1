import type { AccessTokens } from '#libs/tooling';
import { readChallenge } from './late-oauth.js';

/** A token that is not taken any more, then one whose scope is too small: beyond that the answer is the answer. */
const MOST_RENEWALS = 2;
/** What may have been said of the token. */
const REFUSALS: ReadonlySet<number> = new Set([401, 403]);

/**
 * A `fetch` that sends an access token along with what goes to the origin of one server, and, where the server refuses
 * the token, asks once more with another one: a refused request has done nothing. What the tokens reject with is thrown.
 *
 * @param onToken called with every token that is sent, for whoever has to keep it out of what is shown
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
      if (!REFUSALS.has(answer.status) || renewals === MOST_RENEWALS) return answer;
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
