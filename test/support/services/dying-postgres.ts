import { createServer, type Server } from 'node:net';
import type { AddressInfo } from 'node:net';

/**
 * A server that accepts a PostgreSQL client and ends the connection at once, as a server does that is stopped at that
 * moment: the client reads both at once.
 */
export class DyingPostgres {
  /** The number of connections that were accepted and ended. */
  accepted = 0;

  private constructor(private readonly server: Server) {}

  static async listen(): Promise<DyingPostgres> {
    const server = createServer();
    const dying = new DyingPostgres(server);
    server.on('connection', (socket) => {
      socket.on('error', () => undefined);
      socket.once('data', () => {
        dying.accepted += 1;
        socket.end(Buffer.concat([AUTHENTICATED, READY, TERMINATED]));
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return dying;
  }

  get url(): string {
    return `postgresql://somebody:secret@127.0.0.1:${(this.server.address() as AddressInfo).port}/any`;
  }

  async close(): Promise<void> {
    await new Promise((resolve) => this.server.close(resolve));
  }
}

const AUTHENTICATED = message('R', Buffer.from([0, 0, 0, 0]));
const READY = message('Z', Buffer.from('I'));
const TERMINATED = message(
  'E',
  Buffer.from('SFATAL\0C57P01\0Mterminating connection due to administrator command\0\0'),
);

/** A message of PostgreSQL's protocol: its type, its length including the length field, its content. */
function message(type: string, content: Buffer): Buffer {
  const head = Buffer.alloc(5);
  head.write(type);
  head.writeInt32BE(content.length + 4, 1);
  return Buffer.concat([head, content]);
}
