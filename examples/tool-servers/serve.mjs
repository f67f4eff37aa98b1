// Two small servers for the example: an MCP server, and an HTTP service that requires a token. `node serve.mjs [port]`.
import { createServer } from 'node:http';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { z } from 'zod';

const TOKEN = 'parcel-token';
const ORDERS = { 7: 'two boxes of tea' };
const parcels = [];

function orders() {
  const server = new McpServer({ name: 'orders', version: '1.0.0' });
  server.registerTool(
    'find_order',
    { description: 'What an order holds.', inputSchema: { order: z.number().int() } },
    ({ order }) => ({ content: [{ type: 'text', text: ORDERS[order] ?? 'there is no such order' }] }),
  );
  return server;
}

async function answerMcp(request, response) {
  // Stateless: a new server for each request.
  const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: undefined });
  const server = orders();
  response.on('close', () => void server.close());
  await server.connect(transport);
  await transport.handleRequest(request, response);
}

async function answerParcels(request, response) {
  const answer = (status, body) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  if (request.headers.authorization !== `Bearer ${TOKEN}`) return answer(401, { error: 'no token' });
  if (request.method === 'GET') return answer(200, parcels);
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const parcel = { id: parcels.length + 1, ...JSON.parse(Buffer.concat(chunks).toString('utf8')) };
  parcels.push(parcel);
  return answer(201, parcel);
}

const http = createServer((request, response) => {
  const path = (request.url ?? '').split('?')[0];
  const answered =
    path === '/mcp'
      ? answerMcp(request, response)
      : path === '/parcels'
        ? answerParcels(request, response)
        : Promise.resolve(response.writeHead(404).end());
  answered.catch(() => response.destroy());
});
http.listen(Number(process.argv[2] ?? 4010), '127.0.0.1', () => {
  console.log(`http://127.0.0.1:${http.address().port}`);
});
process.on('SIGTERM', () => process.exit(0));
