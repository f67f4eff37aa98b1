/* oxlint-disable typescript/no-deprecated -- the older transport is served, since there are such servers */
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SSEServerTransport } from '@modelcontextprotocol/sdk/server/sse.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { realMcpServer } from './real-mcp-server.js';

/** A real server: `/mcp` has sessions, `/stateless` has none, and `/sse` uses the older transport. */
export interface ServedMcp {
  readonly origin: string;
  /** The open sessions, by streamable HTTP and by SSE. */
  readonly sessions: ReadonlyMap<string, unknown>;
  /** Breaks every connection. */
  drop(): void;
  close(): Promise<void>;
}

/**
 * @param admit returns true to let a request in; otherwise it answers the request itself
 * @param make creates the server of each session
 */
export async function serveRealMcp(
  admit: (request: IncomingMessage, response: ServerResponse) => boolean = () => true,
  make: () => McpServer = realMcpServer,
): Promise<ServedMcp> {
  const streamable = new Map<string, StreamableHTTPServerTransport>();
  const events = new Map<string, SSEServerTransport>();
  const sessions = new Map<string, unknown>();

  async function begin(isStateless: boolean): Promise<StreamableHTTPServerTransport> {
    const transport = new StreamableHTTPServerTransport(
      isStateless
        ? {}
        : {
            sessionIdGenerator: () => randomUUID(),
            onsessioninitialized: (id) => {
              streamable.set(id, transport);
              sessions.set(id, transport);
            },
            onsessionclosed: (id) => {
              streamable.delete(id);
              sessions.delete(id);
            },
          },
    );
    await make().connect(transport);
    return transport;
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '', 'http://localhost');
    if (url.pathname === '/sse') {
      const transport = new SSEServerTransport('/messages', response);
      events.set(transport.sessionId, transport);
      sessions.set(transport.sessionId, transport);
      response.on('close', () => {
        events.delete(transport.sessionId);
        sessions.delete(transport.sessionId);
      });
      await make().connect(transport);
    } else if (url.pathname === '/messages') {
      const transport = events.get(url.searchParams.get('sessionId') ?? '');
      if (transport === undefined) response.writeHead(404).end();
      else await transport.handlePostMessage(request, response);
    } else {
      const id = request.headers['mcp-session-id'];
      const known = typeof id === 'string' ? streamable.get(id) : undefined;
      if (id !== undefined && known === undefined) response.writeHead(404).end();
      else await (known ?? (await begin(url.pathname === '/stateless'))).handleRequest(request, response);
    }
  }

  const server = createServer((request, response) => {
    if (admit(request, response)) void answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    sessions,
    drop: () => server.closeAllConnections(),
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
