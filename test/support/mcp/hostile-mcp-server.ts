import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface McpMessage {
  readonly id?: number;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
}

/** A received request: a message by POST, or a GET or DELETE without one. */
export interface SeenRequest extends McpMessage {
  readonly verb: string;
  readonly headers: IncomingMessage['headers'];
  /** The number of the connection that it came on. */
  readonly socket: number;
}

type Answer = (message: McpMessage, response: ServerResponse, count: number) => void;

/** The deviations of a server from the protocol, by the method of the message, or `GET` and `DELETE`. */
export interface Script {
  readonly on?: Readonly<Record<string, Answer>>;
  readonly tools?: readonly unknown[];
  readonly capabilities?: object;
  /** Opens sessions, `session-1` and so on. */
  readonly hasSessions?: boolean;
}

export const ECHO = {
  name: 'echo',
  description: 'Says what it is given.',
  inputSchema: { type: 'object', properties: { text: { type: 'string' } } },
};

/** A handwritten MCP server over streamable HTTP that can violate the protocol in every way; by default it complies. */
export class HostileMcpServer {
  readonly seen: SeenRequest[] = [];
  /** The open sessions. */
  readonly sessions = new Set<string>();
  private given = 0;
  private sockets = 0;
  private readonly counts = new Map<string, number>();

  private constructor(
    private readonly server: Server,
    public script: Script,
  ) {}

  static async start(script: Script = {}): Promise<HostileMcpServer> {
    const server = createServer();
    const hostile = new HostileMcpServer(server, script);
    const numbers = new WeakMap<object, number>();
    server.on('connection', (socket) => {
      hostile.sockets += 1;
      numbers.set(socket, hostile.sockets);
    });
    server.on('request', (request, response) => {
      void hostile.answer(request, response, numbers.get(request.socket) ?? 0);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return hostile;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/mcp`;
  }

  of(method: string): readonly SeenRequest[] {
    return this.seen.filter((request) => (request.method ?? request.verb) === method);
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  /** The number of open connections. */
  connections(): Promise<number> {
    return new Promise((resolve) => this.server.getConnections((_error, count) => resolve(count)));
  }

  private async answer(request: IncomingMessage, response: ServerResponse, socket: number): Promise<void> {
    const verb = request.method ?? '';
    let text = '';
    for await (const chunk of request) text += String(chunk);
    const message = (text === '' ? {} : JSON.parse(text)) as McpMessage;
    this.seen.push({ ...message, verb, headers: request.headers, socket });
    const key = message.method ?? (verb === 'POST' ? 'answer' : verb);
    const count = (this.counts.get(key) ?? 0) + 1;
    this.counts.set(key, count);
    const session = request.headers['mcp-session-id'];
    if (verb === 'DELETE') this.sessions.delete(String(session));
    const scripted = this.script.on?.[key];
    if (scripted !== undefined) scripted(message, response, count);
    else this.answerHonestly(message, response, verb);
  }

  private answerHonestly(message: McpMessage, response: ServerResponse, verb: string): void {
    if (verb !== 'POST') response.writeHead(verb === 'DELETE' ? 200 : 405).end();
    else if (message.id === undefined || message.method === undefined) response.writeHead(202).end();
    else if (message.method === 'initialize') this.initialize(message, response);
    else if (message.method === 'tools/list')
      sendJson(response, message.id, { tools: this.script.tools ?? [ECHO] });
    else if (message.method === 'tools/call')
      sendJson(response, message.id, { content: [{ type: 'text', text: 'done' }] });
    else sendJson(response, message.id, {});
  }

  private initialize(message: McpMessage, response: ServerResponse): void {
    if (this.script.hasSessions === true) {
      this.given += 1;
      this.sessions.add(`session-${this.given}`);
      response.setHeader('mcp-session-id', `session-${this.given}`);
    }
    sendJson(response, message.id, {
      protocolVersion: message.params?.['protocolVersion'],
      capabilities: this.script.capabilities ?? { tools: {} },
      serverInfo: { name: 'hostile', version: '1' },
    });
  }
}

export function sendJson(response: ServerResponse, id: unknown, result: object): void {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ jsonrpc: '2.0', id, result }));
}

/** Begins an event stream and sends the messages at once. */
export function beginEvents(response: ServerResponse, ...messages: readonly object[]): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.flushHeaders();
  for (const message of messages) sendEvent(response, message);
}

export function sendEvent(response: ServerResponse, message: object): void {
  response.write(`data: ${JSON.stringify({ jsonrpc: '2.0', ...message })}\n\n`);
}
