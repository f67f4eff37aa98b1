import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import type { ServerPoint } from './failpoints.js';
import { WATCHED_TOOLS } from './watched-tools.js';

/** A call that a tool server received. */
export interface ServedCall {
  /** The name of the tool at its server. */
  readonly tool: string;
  /** The token by which the calling execution is recognised. */
  readonly caseKey: string;
  /** `_meta["capstan/idempotencyKey"]`, or the header; null if neither came. */
  readonly idempotencyKey: string | null;
}

/** The ledger of the tool servers, in a process that outlives them. */
export interface Ledger {
  /** Records a call together with its effect; resolves with the number of the call. */
  record(call: ServedCall): Promise<number>;
  /** Records that the caller has cancelled the call. */
  recordCancellation(call: ServedCall): Promise<void>;
  /** Resolves when no trap holds this point any more. */
  reach(point: ServerPoint, caseKey: string): Promise<void>;
}

const KEY = 'capstan/idempotencyKey';
const HELD_REQUESTS: Readonly<Partial<Record<string, ServerPoint>>> = {
  initialize: 'server.connecting',
  'tools/list': 'server.listing',
};

/** Serves the watched tools over MCP on one connection. */
export async function serveLedgeredTools(
  transport: Transport,
  caseKey: string,
  ledger: Ledger,
): Promise<McpServer> {
  const server = new McpServer({ name: 'ledgered', version: '1.0.0' });
  for (const tool of Object.values(WATCHED_TOOLS))
    server.registerTool(
      tool,
      { description: 'Every call is written down.', inputSchema: { item: z.string() } },
      async (_input, { _meta, signal, sendNotification }) => {
        const key: unknown = _meta?.[KEY];
        const call = { tool, caseKey, idempotencyKey: typeof key === 'string' ? key : null };
        signal.addEventListener('abort', () => void ledger.recordCancellation(call), { once: true });
        const number = await ledger.record(call);
        await ledger.reach('tool.during_call', caseKey);
        const progressToken = _meta?.progressToken;
        if (progressToken !== undefined)
          await sendNotification({
            method: 'notifications/progress',
            params: { progressToken, progress: 1, total: 2 },
          });
        await ledger.reach('server.half_way', caseKey);
        return { content: [{ type: 'text', text: JSON.stringify({ message: 'done', number }) }] };
      },
    );
  await server.connect(transport);
  holdRequests(transport, (point) => ledger.reach(point, caseKey));
  return server;
}

/** Delays each request of `HELD_REQUESTS` until no trap holds its point. */
function holdRequests(transport: Transport, hold: (point: ServerPoint) => Promise<void>): void {
  const take = transport.onmessage;
  transport.onmessage = (message: JSONRPCMessage, extra) => {
    const point = 'method' in message ? HELD_REQUESTS[message.method] : undefined;
    if (point === undefined) take?.(message, extra);
    else void hold(point).then(() => take?.(message, extra));
  };
}
