import type { GuardedClient } from '#libs/guarded-fetch';
import { readChallenge } from '#libs/tool-sources';
import type { AccessChallenge, ToolServer } from '#libs/tooling';

const MAX_MS = 5_000;
const MAX_READ_BYTES = 65_536;

/**
 * Sends a request without a token and reads the challenge (RFC 9728 5.1): the URL of the resource metadata, and the
 * required scope. Null if there is none; the caller then tries the well-known URL.
 */
export async function lookForChallenge(
  client: Pick<GuardedClient, 'fetchFor'>,
  server: ToolServer,
  url: string,
): Promise<AccessChallenge | null> {
  if (server.type === 'openapi') return null;
  const fetchGuarded = client.fetchFor({
    ...{ tenantId: server.tenantId, headersTimeoutMs: MAX_MS, silenceMs: MAX_MS },
    mostReadBytes: MAX_READ_BYTES,
  });
  try {
    const answer = await fetchGuarded(url, {
      ...(server.type === 'http' ? ASK_FOR_TOOLS : { headers: { accept: 'text/event-stream' } }),
      signal: AbortSignal.timeout(MAX_MS),
    });
    const challenge = await readChallenge(answer);
    await answer.body?.cancel().catch(() => undefined);
    return challenge;
  } catch {
    // Faults of the server are reported when it is called.
    return null;
  }
}

/** Request that needs a token: some servers open a session without one. Sent outside a session, it opens none. */
const ASK_FOR_TOOLS: RequestInit = {
  method: 'POST',
  headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
  body: JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'tools/list' }),
};
