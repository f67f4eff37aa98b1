import type { GuardedClient } from '#libs/guarded-fetch';
import { ToolServerFailure, type ToolServerFault } from '#libs/tooling';

/** Maximum milliseconds of one exchange with an authorization server; opening a server has 12 s in total. */
const MAX_MS = 10_000;
/** Maximum bytes of metadata and token responses. */
const MAX_READ_BYTES = 262_144;
const TOO_MANY_REQUESTS = 429;

/** Fault for an authorization server that is unreachable or overloaded. */
export const AWAY: [ToolServerFault, string] = ['unreachable', 'the authorization server cannot be reached'];

/**
 * The guarded `fetch` for authorization servers, with limits on bytes and time. Status 429 or 5xx throws a
 * `ToolServerFailure`, since the library would take it for a rejection.
 */
export function oauthFetch(client: Pick<GuardedClient, 'fetchFor'>, tenantId: string): typeof fetch {
  const guarded = client.fetchFor({
    tenantId,
    headersTimeoutMs: MAX_MS,
    silenceMs: MAX_MS,
    mostReadBytes: MAX_READ_BYTES,
    // The library itself follows redirects within an origin.
    mostRedirects: 0,
  });
  const deadline = AbortSignal.timeout(MAX_MS);
  return async (input, init) => {
    const answer = await guarded(input, { ...init, signal: deadline });
    if (answer.status < 500 && answer.status !== TOO_MANY_REQUESTS) return answer;
    await answer.body?.cancel().catch(() => undefined);
    throw new ToolServerFailure(...AWAY);
  };
}
