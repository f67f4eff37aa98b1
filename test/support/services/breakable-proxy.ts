import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** Stands between the services of a test and a server, and fails connection by connection, as networks do. */
export interface BreakableProxy {
  /** The target's URL with this proxy in the place of its server. */
  readonly url: string;
  /**
   * Connections that stand now stay open and carry nothing any more, in either direction; the server keeps what it holds
   * for them. New ones work: a forgotten entry of a NAT, a failover. `isMeant`: only those that began by saying so.
   */
  silence(isMeant?: (opening: string) => boolean): void;
  /** The server learns that silent connections are gone, as by its keep-alive, and drops what it held for them. */
  forgetSilent(): void;
  /** From now on everything travels this many milliseconds, in either direction; 0: at once. */
  slowDown(ms: number): void;
  /** Breaks every connection, on both sides, and refuses new ones until `restore`. */
  cut(): void;
  restore(): void;
  /**
   * The next thing that a client sends with this text in it still reaches the server; the answer, and all that follows on
   * that connection, does not reach the client. Resolves when the answer has been swallowed.
   */
  swallowAnswersAfter(text: string): Promise<void>;
  close(): Promise<void>;
}

/** So many bytes at the most. */
const OPENING = 2_000;

interface Swallower {
  readonly text: string;
  readonly done: () => void;
}

interface Connection {
  readonly client: Socket;
  readonly upstream: Socket;
  isSilent: boolean;
  /** Set when the request has passed whose answer is to be swallowed. */
  swallower: Swallower | null;
  /** The beginning of what the client sent: its name is in there. */
  opening: string;
  /** The end of what was sent, where a text may have begun. */
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
        // Nobody hears the end of a connection that carries nothing.
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

/** Writes later, and in order, also when the delay gets shorter meanwhile. */
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
