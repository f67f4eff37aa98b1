import { once } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { createPatientServer } from '../../support/services/patient-server.js';

export type Behaviour = (request: IncomingMessage, response: ServerResponse, body: string) => void;

export interface TlsIdentity {
  readonly key: string;
  readonly cert: string;
}

/** A receiver on a loopback address that reads the whole request and then behaves as the test chooses. */
export class Receiver {
  connections = 0;
  readonly requests: {
    readonly path: string;
    readonly headers: Record<string, string>;
    readonly body: string;
  }[] = [];

  private constructor(private readonly server: Server) {
    server.on('connection', () => (this.connections += 1));
  }

  static async listen(behaviour: Behaviour, tls?: TlsIdentity, host = '127.0.0.1'): Promise<Receiver> {
    const server =
      tls === undefined ? createPatientServer() : createTlsServer({ ...tls, keepAliveTimeout: 0 });
    const receiver = new Receiver(server);
    server.on('request', (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const body = Buffer.concat(chunks).toString('utf8');
        receiver.requests.push({ path: request.url ?? '', headers: textHeaders(request), body });
        behaviour(request, response, body);
      });
    });
    server.listen(0, host);
    await once(server, 'listening');
    return receiver;
  }

  get port(): number {
    const address = this.server.address() as AddressInfo;
    return address.port;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}/hook`;
  }

  async close(): Promise<void> {
    const closed = once(this.server, 'close');
    this.server.close();
    this.server.closeAllConnections();
    await closed;
  }
}

function textHeaders(request: IncomingMessage): Record<string, string> {
  const entries = Object.entries(request.headers).map(([name, value]) => [name, String(value)]);
  return Object.fromEntries(entries) as Record<string, string>;
}
