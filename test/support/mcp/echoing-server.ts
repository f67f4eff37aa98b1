import { once } from 'node:events';
import type { IncomingMessage, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createPatientServer } from '../services/patient-server.js';

/**
 * An MCP server at `/mcp` and an HTTP service at every other path that echo their `Authorization` header wherever possible:
 * in descriptions, schemas, results, structured content, files, errors of a tool, of JSON-RPC and of HTTP.
 */
export class EchoingServer {
  /** The credentials of all requests, unchanged. */
  readonly seen: string[] = [];

  private constructor(private readonly server: Server) {}

  static async listen(): Promise<EchoingServer> {
    const server = createPatientServer();
    const echoing = new EchoingServer(server);
    server.on('request', (request, response) => {
      void echoing.answer(request).then(({ status, type, body }) => {
        response.writeHead(status, { 'content-type': type }).end(body);
      });
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return echoing;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async answer(
    request: IncomingMessage,
  ): Promise<{ status: number; type: string; body: string | Buffer }> {
    const text = Buffer.concat(await request.toArray()).toString('utf8');
    const secret = request.headers.authorization ?? '';
    this.seen.push(secret);
    if (request.url === '/mcp') return answerMcp(request.method ?? '', text, secret);
    if (request.url === '/file')
      return { status: 200, type: 'application/octet-stream', body: Buffer.from(`\0\xff ${secret}`) };
    const status = request.url === '/broken' ? 400 : 200;
    return { status, type: 'application/json', body: JSON.stringify({ headers: request.headers, secret }) };
  }
}

function answerMcp(verb: string, text: string, secret: string) {
  const nothing = { status: 202, type: 'text/plain', body: '' };
  if (verb !== 'POST') return { ...nothing, status: 405 };
  const { id, method, params } = JSON.parse(text) as {
    id?: number;
    method: string;
    params?: { name?: string; protocolVersion?: string };
  };
  if (id === undefined) return nothing;
  const said = (result: object) => ({
    ...{ status: 200, type: 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id, ...result }),
  });
  if (method === 'initialize')
    return said({
      result: {
        protocolVersion: params?.protocolVersion,
        capabilities: { tools: {} },
        serverInfo: { name: secret, version: '1' },
        instructions: secret,
      },
    });
  if (method === 'tools/list')
    return said({ result: { tools: TOOLS.map((name) => describe(name, secret)) } });
  if (method !== 'tools/call') return said({ error: { code: -32_601, message: secret } });
  switch (params?.name) {
    case 'refuse':
      return said({ error: { code: -32_602, message: `wrong: ${secret}`, data: secret } });
    case 'break':
      return said({ error: { code: -32_000, message: `broken: ${secret}`, data: secret } });
    case 'fail':
      return said({ result: { isError: true, content: [{ type: 'text', text: secret }] } });
    default:
      return said({ result: { structuredContent: { [secret]: secret }, content: contentOf(secret) } });
  }
}

const TOOLS = ['echo', 'refuse', 'break', 'fail'];

function describe(name: string, secret: string): object {
  const properties = { a: { type: 'string', description: secret, default: secret } };
  return { name, description: `Send ${secret}.`, inputSchema: { type: 'object', properties } };
}

function contentOf(secret: string): object[] {
  const blob = Buffer.from(`a file with ${secret}`).toString('base64');
  return [
    { type: 'text', text: `you sent ${secret}, ${Buffer.from(secret).toString('base64')}` },
    { type: 'image', data: blob, mimeType: 'image/png' },
    { type: 'resource', resource: { uri: `file:///${secret}`, mimeType: 'text/plain', text: secret } },
    { type: 'resource_link', uri: `https://example.com/?t=${encodeURIComponent(secret)}`, name: secret },
  ];
}
