// @ts-check
// Tool servers of many tenants in one process, on every address of this machine: MCP by streamable HTTP with sessions
// (/mcp) and without (/stateless), and an HTTP service (/things/…).
// /counts serves the numbers of open sessions, connections and calls.
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';

const TOOL = {
  name: 'find',
  description: 'Finds a thing.',
  inputSchema: { type: 'object', properties: { id: { type: 'string' } } },
};

/** @type {Set<string>} */
const sessions = new Set();
const counts = { begun: 0, calls: 0, mostSessions: 0, mostConnections: 0, connections: 0 };

/** @type {Record<string, (params: any) => object>} */
const ANSWERS = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: 'bench', version: '1' },
  }),
  'tools/list': () => ({ tools: [TOOL] }),
  'tools/call': () => {
    counts.calls += 1;
    return { content: [{ type: 'text', text: 'found' }] };
  },
};

/**
 * @param {import('node:http').IncomingMessage} request
 * @param {import('node:http').ServerResponse} response
 * @param {boolean} hasSessions
 */
async function answerMcp(request, response, hasSessions) {
  const id = String(request.headers['mcp-session-id']);
  if (request.method === 'DELETE') {
    response.writeHead(sessions.delete(id) ? 200 : 404).end();
    return;
  }
  if (request.method !== 'POST') {
    response.writeHead(405).end();
    return;
  }
  /** @type {any} */
  const message = await json(request);
  if (hasSessions && message.method !== 'initialize' && !sessions.has(id)) {
    response.writeHead(404).end();
    return;
  }
  const answer = ANSWERS[message.method];
  if (answer === undefined) {
    response.writeHead(202).end();
    return;
  }
  if (hasSessions && message.method === 'initialize') response.setHeader('mcp-session-id', begin());
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify({ jsonrpc: '2.0', id: message.id, result: answer(message.params) }));
}

function begin() {
  const id = randomUUID();
  sessions.add(id);
  counts.begun += 1;
  counts.mostSessions = Math.max(counts.mostSessions, sessions.size);
  return id;
}

const server = createServer((request, response) => {
  const path = request.url ?? '';
  if (path === '/mcp' || path === '/stateless') {
    answerMcp(request, response, path === '/mcp').catch(() => response.destroy());
    return;
  }
  if (path.startsWith('/things/')) counts.calls += 1;
  const said = path === '/counts' ? { ...counts, sessions: sessions.size } : { message: 'found' };
  response.setHeader('content-type', 'application/json').end(JSON.stringify(said));
});
server.on('connection', (socket) => {
  counts.connections += 1;
  counts.mostConnections = Math.max(counts.mostConnections, counts.connections);
  socket.once('close', () => {
    counts.connections -= 1;
  });
});
server.listen({ port: Number(process.env.PORT), host: '0.0.0.0', backlog: 4_096 });
