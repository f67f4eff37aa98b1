import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A proxy between the services of a test and a server, which fails connections one by one, as networks do. */
export interface BreakableProxy {
  /** The target's URL with this proxy as its server. */
  readonly url: string;
  /**
   * Keeps open connections but carries nothing on them, as after a lost NAT entry or a failover; new connections work.
   * `isMeant`: selects connections by the beginning of their traffic.
   */
  silence(isMeant?: (opening: string) => boolean): void;
  /** Ends silent connections at the server, as its keep-alive does, which drops their state. */
  forgetSilent(): void;
  /** Delays all traffic by these milliseconds in each direction from now on; 0 for none. */
  slowDown(ms: number): void;
  /** Breaks all connections on both sides, and refuses new ones until `restore`. */
  cut(): void;
  restore(): void;
  /**
   * Passes the next request with this text to the server, but keeps its answer, and all later traffic on the connection,
   * from the client. Resolves when the answer has been swallowed.
   */
  swallowAnswersAfter(text: string): Promise<void>;
  close(): Promise<void>;
}

/** The most bytes of a connection's beginning that are kept. */
const OPENING = 2_000;

interface Swallower {
  readonly text: string;
  readonly done: () => void;
}

interface Connection {
  readonly client: Socket;
  readonly upstream: Socket;
  isSilent: boolean;
  /** Set once the request has passed; its answer is to be swallowed. */
  swallower: Swallower | null;
  /** The first bytes from the client, which hold its name. */
  opening: string;
  /** The end of the traffic so far, which may hold the beginning of a text. */
  tail: string;
}

export async function startBreakableProxy(targetUrl: string): Promise<BreakableProxy> {
  const target = new URL(targetUrl);
  const connections = new Set<Connection>();
  const swallowers = new Set<Swallower>();
  let isCut = false;
  let delayMs = 0;

  const server = createServer((client) => {
    if (isCut) {
      client.destroy();
      return;
    }
    const upstream = connect({ host: target.hostname, port: Number(target.port) });
    const connection: Connection = {
      client,
      upstream,
      isSilent: false,
      swallower: null,
      opening: '',
      tail: '',
    };
    connections.add(connection);
    const [send, answer] = [lateWriter(upstream), lateWriter(client)];
    client.on('data', (chunk: Buffer) => {
      if (connection.isSilent) return;
      if (connection.opening.length < OPENING) connection.opening += chunk.toString('latin1');
      notice(connection, chunk, swallowers);
      send(chunk, delayMs);
    });
    upstream.on('data', (chunk: Buffer) => {
      if (connection.isSilent) return;
      const { swallower } = connection;
      if (swallower === null) {
        answer(chunk, delayMs);
        return;
      }
      connection.isSilent = true;
      swallower.done();
    });
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      from.on('error', () => to.destroy());
      from.on('close', () => {
        // The end of a silent connection is not forwarded.
        if (connection.isSilent) return;
        connections.delete(connection);
        to.destroy();
      });
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  const url = new URL(targetUrl);
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as AddressInfo).port);

  const breakAll = (): void => {
    for (const { client, upstream } of connections) {
      client.destroy();
      upstream.destroy();
    }
    connections.clear();
  };

  return {
    url: url.href,
    silence: (isMeant = () => true) => {
      for (const connection of connections) connection.isSilent ||= isMeant(connection.opening);
    },
    forgetSilent: () => {
      for (const connection of connections) {
        if (!connection.isSilent) continue;
        connection.upstream.destroy();
        connections.delete(connection);
      }
    },
    slowDown: (ms) => {
      delayMs = ms;
    },
    cut: () => {
      isCut = true;
      breakAll();
    },
    restore: () => {
      isCut = false;
    },
    swallowAnswersAfter: (text) =>
      new Promise((resolve) => {
        swallowers.add({ text, done: resolve });
      }),
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      breakAll();
      await closed;
    },
  };
}

/** Writes after the delay and in order, even if the delay has become shorter. */
function lateWriter(socket: Socket): (chunk: Buffer, delayMs: number) => void {
  let dueAt = 0;
  return (chunk, delayMs) => {
    const now = performance.now();
    dueAt = Math.max(dueAt, now + delayMs);
    if (dueAt <= now) socket.write(chunk);
    else setTimeout(() => socket.write(chunk), dueAt - now);
  };
}

function notice(connection: Connection, chunk: Buffer, swallowers: Set<Swallower>): void {
  const sent = connection.tail + chunk.toString('latin1');
  for (const swallower of swallowers) {
    if (!sent.includes(swallower.text)) continue;
    swallowers.delete(swallower);
    connection.swallower = swallower;
  }
  const longest = Math.max(0, ...[...swallowers].map(({ text }) => text.length - 1));
  connection.tail = longest === 0 ? '' : sent.slice(-longest);
}
