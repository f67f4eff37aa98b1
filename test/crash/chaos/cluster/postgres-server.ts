import { setTimeout as delay } from 'node:timers/promises';
import { reservePort } from '../../../support/services/reserve-port.js';
import { Client } from 'pg';
import { startEmbeddedPostgres, stopEmbeddedPostgres } from '../../../../scripts/postgres/server.ts';
import { childrenOf, isAlive, signal } from './processes-of.js';

/**
 * Without `fsync` a crash of the machine could lose commits, but a death of the server cannot, as the operating system has
 * its writes. Commits without a flush reach it every 10 s only, so a crash of the server loses them.
 */
const SETTINGS = { fsync: 'off', wal_writer_delay: '10s', max_connections: 400, log_min_messages: 'fatal' };
const START_LIMIT_MS = 30_000;

/** A separate PostgreSQL server that tests can break. */
export class PostgresServer {
  private constructor(
    private readonly home: string,
    readonly url: string,
    private readonly port: number,
    private pid: number,
    private readonly settings: Readonly<Record<string, string | number>>,
  ) {}

  /** @param own settings of this server, which override the common ones */
  static async start(
    home: string,
    own: Readonly<Record<string, string | number>> = {},
  ): Promise<PostgresServer> {
    const settings = { ...SETTINGS, ...own };
    const preferredPort = await reservePort();
    const { url, port, pid } = await startEmbeddedPostgres({ home, preferredPort, settings });
    return new PostgresServer(home, url, port, pid, settings);
  }

  /** Ends all processes of the server at once, without a checkpoint, as `pg_ctl stop -m immediate` does. */
  async crash(): Promise<void> {
    signal(this.pid, 'SIGQUIT');
    while (isAlive(this.pid)) await delay(10);
  }

  /** Kills all processes of the server at once by SIGKILL, which loses their memory. */
  async kill(): Promise<void> {
    // The parent is stopped first, so that it neither starts more children nor recovers without them.
    signal(this.pid, 'SIGSTOP');
    const all = [this.pid, ...childrenOf(this.pid)];
    for (const pid of all) signal(pid, 'SIGSTOP');
    for (const pid of all) signal(pid, 'SIGKILL');
    while (all.some(isAlive)) await delay(10);
  }

  /** Restarts the server on the same port; it recovers from its write-ahead log. */
  async restart(): Promise<void> {
    const limit = Date.now() + START_LIMIT_MS;
    for (;;) {
      try {
        const started = await startEmbeddedPostgres({
          home: this.home,
          preferredPort: this.port,
          settings: this.settings,
        });
        if (started.port !== this.port) throw new Error(`port ${this.port} was taken by somebody else`);
        this.pid = started.pid;
        return;
      } catch (error) {
        if (Date.now() > limit) throw error;
        await delay(100);
      }
    }
  }

  async freeze(ms: number): Promise<void> {
    // The parent is stopped first, so that it starts no more children.
    signal(this.pid, 'SIGSTOP');
    const all = [this.pid, ...childrenOf(this.pid)];
    for (const pid of all) signal(pid, 'SIGSTOP');
    await delay(ms);
    for (const pid of all.toReversed()) signal(pid, 'SIGCONT');
  }

  stop(): Promise<void> {
    return stopEmbeddedPostgres(this.home);
  }
}

/** Runs `work` on a connection of its own; if the server breaks, `work` gets the error. */
export async function withClient<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 5_000, query_timeout: 60_000 });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}
