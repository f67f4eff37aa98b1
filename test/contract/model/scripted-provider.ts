import type { IncomingHttpHeaders, Server, ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { createPatientServer } from '../../support/services/patient-server.js';

export interface ReceivedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: unknown;
  /** Resolves when client or server has closed the connection. */
  readonly closed: Promise<void>;
}

/** Answers one request, as rightly or wrongly as the test wants. */
export type Scene = (response: ServerResponse, request: ReceivedRequest) => void;

/** A provider over real HTTP that plays one scene for each request and remembers what it was asked. */
export class ScriptedProvider {
  readonly requests: ReceivedRequest[] = [];
  connections = 0;
  private scenes: Scene[] = [];

  private constructor(private readonly server: Server) {}

  static async start(): Promise<ScriptedProvider> {
    const server = createPatientServer();
    const provider = new ScriptedProvider(server);
    const closings = new WeakMap<Socket, Promise<void>>();
    server.on('connection', (socket) => {
      provider.connections += 1;
      closings.set(socket, new Promise((resolve) => socket.once('close', () => resolve())));
    });
    server.on('request', (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const text = Buffer.concat(chunks).toString('utf8');
        const received: ReceivedRequest = {
          method: request.method ?? '',
          path: request.url ?? '',
          headers: request.headers,
          body: text === '' ? undefined : (JSON.parse(text) as unknown),
          closed: closings.get(request.socket) ?? Promise.resolve(),
        };
        provider.requests.push(received);
        provider.nextScene()(response, received);
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return provider;
  }

  get baseUrl(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/v1`;
  }

  /** Clears the recorded requests; the next requests play these scenes in turn, and then repeat the last one. */
  play(...scenes: Scene[]): void {
    this.requests.length = 0;
    this.connections = 0;
    this.scenes = scenes;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private nextScene(): Scene {
    const [scene, ...rest] = this.scenes;
    if (scene === undefined) throw new Error('a request came that no scene was written for');
    if (rest.length > 0) this.scenes = rest;
    return scene;
  }
}
