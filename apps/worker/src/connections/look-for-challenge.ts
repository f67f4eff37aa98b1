import type { GuardedClient } from '#libs/guarded-fetch';
import { readChallenge } from '#libs/tool-sources';
import type { AccessChallenge, ToolServer } from '#libs/tooling';

const LONGEST_MS = 5_000;
const MOST_READ_BYTES = 65_536;

/**
 * What a server says to somebody who comes without a token (RFC 9728 5.1): where it describes itself, and which scope it
 * wants. Null where it does not say; then the well-known place is looked at.
 */
export async function lookForChallenge(
  client: Pick<GuardedClient, 'fetchFor'>,
  server: ToolServer,
  url: string,
): Promise<AccessChallenge | null> {
  if (server.type === 'openapi') return null;
  const fetchGuarded = client.fetchFor({
    ...{ tenantId: server.tenantId, headersTimeoutMs: LONGEST_MS, silenceMs: LONGEST_MS },
    mostReadBytes: MOST_READ_BYTES,
  });
  try {
    const answer = await fetchGuarded(url, {
      ...(server.type === 'http' ? ASK_FOR_TOOLS : { headers: { accept: 'text/event-stream' } }),
      signal: AbortSignal.timeout(LONGEST_MS),
    });
    const challenge = await readChallenge(answer);
    await answer.body?.cancel().catch(() => undefined);
    return challenge;
  } catch {
    // What is wrong with it will be seen when it is called.
    return null;
  }
}

/** Some servers let everybody begin a session, and ask for a token only then. Without one this begins none. */
const ASK_FOR_TOOLS: RequestInit = {
  method: 'POST',
  headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
  body: JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'tools/list' }),
};
