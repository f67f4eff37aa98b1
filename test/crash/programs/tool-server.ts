/* oxlint-disable typescript/no-deprecated -- the older transport is served, since there are such servers */
// Tool servers in one process: MCP by streamable HTTP under /mcp and by SSE under /sse, an HTTP service under /service. It
// prints its address, records its calls at `LEDGER_URL`, and lists its sessions under /sessions.
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { SSEServerTransport } from '@modelcontextprotocol/sdk/server/sse.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { z } from 'zod';
import { serveLedgeredTools } from './ledgered-tools.js';
import { remoteLedger } from './remote-ledger.js';
import { ServedSessions } from './served-sessions.js';
import { WATCHED_TOOLS } from './watched-tools.js';

const { LEDGER_URL } = z.object({ LEDGER_URL: z.url() }).parse(process.env);
const ledger = remoteLedger(LEDGER_URL);
const sessions = new ServedSessions();
const streamable = new Map<string, StreamableHTTPServerTransport>();
const events = new Map<string, SSEServerTransport>();
const OPERATIONS: Readonly<Partial<Record<string, string>>> = {
  GET: WATCHED_TOOLS.read,
  PUT: WATCHED_TOOLS.idempotent,
  POST: WATCHED_TOOLS.unsafe,
};

async function answerMcp(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const id = headerOf(request, 'mcp-session-id');
  const known = id === null ? await beginSession(caseOf(request), response) : streamable.get(id);
  if (id !== null) sessions.served(id, response);
  if (known === undefined) response.writeHead(404).end();
  else await known.handleRequest(request, response);
}

async function beginSession(
  caseKey: string,
  response: ServerResponse,
): Promise<StreamableHTTPServerTransport> {
  const transport = new StreamableHTTPServerTransport({
    sessionIdGenerator: () => randomUUID(),
    onsessioninitialized: (id) => {
      streamable.set(id, transport);
      sessions.begin(id, 'http', caseKey, () => {
        streamable.delete(id);
        void transport.close();
      });
      sessions.served(id, response);
    },
    onsessionclosed: (id) => {
      streamable.delete(id);
      sessions.end(id, 'deleted');
    },
  });
  await serveLedgeredTools(transport, caseKey, ledger);
  return transport;
}

async function beginEvents(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const transport = new SSEServerTransport('/messages', response);
  const { sessionId } = transport;
  events.set(sessionId, transport);
  sessions.begin(sessionId, 'sse', caseOf(request), () => response.destroy());
  sessions.served(sessionId, response);
  response.on('close', () => {
    events.delete(sessionId);
    sessions.end(sessionId, 'stream_ended');
  });
  await serveLedgeredTools(transport, caseOf(request), ledger);
}

async function answerService(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const tool = OPERATIONS[request.method ?? ''];
  if (tool === undefined) return void response.writeHead(405).end();
  const call = { tool, caseKey: caseOf(request), idempotencyKey: headerOf(request, 'idempotency-key') };
  response.on('close', () => {
    if (!response.writableFinished) void ledger.recordCancellation(call);
  });
  const number = await ledger.record(call);
  await ledger.reach('tool.during_call', call.caseKey);
  const text = JSON.stringify({ message: 'done', number });
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': text.length });
  response.write(text.slice(0, 5));
  await ledger.reach('server.half_way', call.caseKey);
  response.end(text.slice(5));
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? '', 'http://localhost');
  switch (url.pathname.split('/')[1]) {
    case 'mcp':
      return answerMcp(request, response);
    case 'sse':
      return beginEvents(request, response);
    case 'messages': {
      const transport = events.get(url.searchParams.get('sessionId') ?? '');
      if (transport === undefined) return void response.writeHead(404).end();
      return transport.handlePostMessage(request, response, await json(request));
    }
    case 'service':
      return answerService(request, response);
    default:
      response.setHeader('content-type', 'application/json').end(JSON.stringify(sessions.list()));
  }
}

function headerOf({ headers }: IncomingMessage, name: string): string | null {
  const value = headers[name];
  return typeof value === 'string' ? value : null;
}

function caseOf(request: IncomingMessage): string {
  return headerOf(request, 'x-case') ?? '';
}

const server = createServer({ keepAliveTimeout: 0 }, (request, response) => {
  answer(request, response).catch((error: unknown) => {
    console.error(error);
    response.destroy();
  });
});
server.listen(0, '127.0.0.1', () => {
  console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
