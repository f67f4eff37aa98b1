import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** A proxy between an adapter and its server, which fails as networks and servers do. */
export class FlakyProxy {
  private readonly sockets = new Set<Socket>();
  private isFrozen = false;

  private constructor(
    private readonly server: Server,
    private readonly target: { readonly host: string; readonly port: number },
  ) {
    server.on('connection', (client) => this.join(client));
  }

  /** Forwards to the server of `url`. */
  static async before(url: string): Promise<FlakyProxy> {
    const { hostname, port } = new URL(url);
    const server = createServer({ allowHalfOpen: false });
    const proxy = new FlakyProxy(server, { host: hostname, port: Number(port) });
    await proxy.listen(0);
    return proxy;
  }

  /** The URL with this proxy as its server. */
  through(url: string): string {
    const proxied = new URL(url);
    proxied.hostname = '127.0.0.1';
    proxied.port = String(this.port);
    return proxied.href;
  }

  get port(): number {
    const address = this.server.address() as AddressInfo;
    return address.port;
  }

  /** Keeps connections and accepts new ones, but forwards nothing, like a frozen server or a half-open connection. */
  freeze(): void {
    this.isFrozen = true;
    for (const socket of this.sockets) socket.pause();
  }

  thaw(): void {
    this.isFrozen = false;
    for (const socket of this.sockets) socket.resume();
  }

  /** Breaks every connection and refuses new ones until the returned function is called, like a server that is down. */
  async shutDown(): Promise<() => Promise<void>> {
    const port = this.port;
    await this.close();
    return () => this.listen(port);
  }

  async close(): Promise<void> {
    const closed = once(this.server, 'close');
    this.server.close();
    for (const socket of this.sockets) socket.destroy();
    await closed;
  }

  private async listen(port: number): Promise<void> {
    this.server.listen(port, '127.0.0.1');
    await once(this.server, 'listening');
  }

  private join(client: Socket): void {
    const upstream = connect(this.target);
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      this.sockets.add(from);
      from.on('data', (chunk) => to.write(chunk));
      from.on('error', () => to.destroy());
      from.on('close', () => {
        this.sockets.delete(from);
        to.destroy();
      });
      if (this.isFrozen) from.pause();
    }
  }
}
