import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import type { ServerPoint } from './failpoints.js';
import { WATCHED_TOOLS } from './watched-tools.js';

/** A call as a tool server got it. */
export interface ServedCall {
  /** The server's own name of the tool. */
  readonly tool: string;
  /** The token of the execution that called, by which it is known. */
  readonly caseKey: string;
  /** `_meta["capstan/idempotencyKey"]`, or the header; null where none came. */
  readonly idempotencyKey: string | null;
}

/** What a tool server does beside answering: on paper that outlives its processes. */
export interface Ledger {
  /** Resolves when the call, whose effect takes place with it, is written down; answers its number. */
  record(call: ServedCall): Promise<number>;
  /** The caller has said that it does not want the answer any more. */
  recordCancellation(call: ServedCall): Promise<void>;
  /** Resolves when nobody holds this point any more. */
  reach(point: ServerPoint, caseKey: string): Promise<void>;
}

const KEY = 'capstan/idempotencyKey';
const HELD_REQUESTS: Readonly<Partial<Record<string, ServerPoint>>> = {
  initialize: 'server.connecting',
  'tools/list': 'server.listing',
};

/** The watched tools as a server of MCP has them, for one connection. */
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

/** A request is taken up when nobody holds its point. */
function holdRequests(transport: Transport, hold: (point: ServerPoint) => Promise<void>): void {
  const take = transport.onmessage;
  transport.onmessage = (message: JSONRPCMessage, extra) => {
    const point = 'method' in message ? HELD_REQUESTS[message.method] : undefined;
    if (point === undefined) take?.(message, extra);
    else void hold(point).then(() => take?.(message, extra));
  };
}
