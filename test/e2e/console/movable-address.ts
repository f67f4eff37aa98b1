import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** An address that stays the same while the server behind it is replaced, as a load balancer's does. */
export interface MovableAddress {
  readonly url: string;
  /** Breaks all connections and sends new ones to another server. */
  moveTo(url: string): void;
  close(): Promise<void>;
}

export async function openMovableAddress(url: string): Promise<MovableAddress> {
  let port = Number(new URL(url).port);
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect({ host: '127.0.0.1', port });
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(socket);
      socket.on('error', () => other.destroy());
      socket.on('close', () => {
        sockets.delete(socket);
        other.destroy();
      });
      socket.pipe(other);
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const breakAll = (): void => sockets.forEach((socket) => socket.destroy());
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    moveTo: (next) => {
      port = Number(new URL(next).port);
      breakAll();
    },
    close: async () => {
      breakAll();
      server.close();
      await once(server, 'close');
    },
  };
}
