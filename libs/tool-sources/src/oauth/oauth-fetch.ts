import type { GuardedClient } from '#libs/guarded-fetch';
import { ToolServerFailure, type ToolServerFault } from '#libs/tooling';

/** One exchange with an authorization server: opening a server has 12 s as a whole. */
const LONGEST_MS = 10_000;
/** Metadata and answers of a token endpoint are small. */
const MOST_READ_BYTES = 262_144;
const TOO_MANY_REQUESTS = 429;

/** Why there is no token where nobody answers, or only that he is not well. */
export const AWAY: [ToolServerFault, string] = ['unreachable', 'the authorization server cannot be reached'];

/**
 * What the library asks authorization servers with: guarded, few bytes, not for long, redirects only as it allows them.
 * Throws a `ToolServerFailure` for one that is not well, whom the library would take for one that refuses.
 */
export function oauthFetch(client: Pick<GuardedClient, 'fetchFor'>, tenantId: string): typeof fetch {
  const guarded = client.fetchFor({
    tenantId,
    headersTimeoutMs: LONGEST_MS,
    silenceMs: LONGEST_MS,
    mostReadBytes: MOST_READ_BYTES,
    // The library follows those within an origin by itself.
    mostRedirects: 0,
  });
  const deadline = AbortSignal.timeout(LONGEST_MS);
  return async (input, init) => {
    const answer = await guarded(input, { ...init, signal: deadline });
    if (answer.status < 500 && answer.status !== TOO_MANY_REQUESTS) return answer;
    await answer.body?.cancel().catch(() => undefined);
    throw new ToolServerFailure(...AWAY);
  };
}
