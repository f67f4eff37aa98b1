/* oxlint-disable typescript/no-deprecated -- the transport is, and there are still servers that know no other */
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';

/** HTTP with SSE (2024-11-05): one stream for all server messages, requests by POST. */
export function sseTransport(
  url: URL,
  { fetch, headers }: { fetch: typeof globalThis.fetch; headers: Readonly<Record<string, string>> },
): Transport {
  return new SSEClientTransport(url, { fetch, requestInit: { headers: { ...headers } } });
}
