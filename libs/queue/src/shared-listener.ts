import { EventEmitter } from 'node:events';
import type { Notification, Pool, PoolClient, QueryResult } from 'pg';

/**
 * One pool connection on which all queues and workers of a process listen. BullMQ takes and keeps a connection per
 * worker, although all of them listen to the same two channels and filter by queue name.
 */
export class SharedListener {
  private current: Promise<SharedClient> | null = null;

  constructor(private readonly pool: Pool) {}

  /**
   * Returns a client that acts as a connection of its own until it is released. A failed first attempt does not fail
   * later ones.
   */
  async connect(): Promise<ListeningClient> {
    this.current ??= this.open();
    return (await this.current).join() ?? this.connect();
  }

  private open(): Promise<SharedClient> {
    const forget = (): void => {
      if (this.current === opening) this.current = null;
    };
    const opening = this.pool.connect().then((client) => new SharedClient(client, forget));
    opening.catch(forget);
    return opening;
  }
}

/** The connection and its clients; it is closed when the last client is released. */
class SharedClient {
  private readonly members = new Set<ListeningClient>();
  private last: Promise<unknown> = Promise.resolve();
  private isClosed = false;

  constructor(
    private readonly client: PoolClient,
    private readonly onClosed: () => void,
  ) {
    client.on('notification', this.pass);
    client.on('error', this.fail);
  }

  /** Null if the last client was released between opening and this call. */
  join(): ListeningClient | null {
    if (this.isClosed) return null;
    const member = new ListeningClient(this, this.client);
    this.members.add(member);
    return member;
  }

  /** Serializes statements, since a connection runs one at a time. */
  query(text: string, values?: unknown[]): Promise<QueryResult> {
    const query = (): Promise<QueryResult> => this.client.query(text, values);
    const running = this.last.then(query, query);
    this.last = running;
    return running;
  }

  leave(member: ListeningClient): void {
    if (this.members.delete(member) && this.members.size === 0) this.close();
  }

  private readonly pass = (notification: Notification): void => {
    for (const member of this.members) member.emit('notification', notification);
  };

  private readonly fail = (error: Error): void => {
    const members = [...this.members];
    this.members.clear();
    this.close();
    for (const member of members) {
      if (member.listenerCount('error') > 0) member.emit('error', error);
    }
  };

  /** Keeps the error listener: a connection may report several errors while it closes. */
  private close(): void {
    this.isClosed = true;
    this.onClosed();
    this.client.off('notification', this.pass);
    this.client.off('error', this.fail);
    this.client.on('error', () => undefined);
    this.client.release(true);
  }
}

/** The part of a `pg` client that BullMQ uses of a kept connection. */
export class ListeningClient extends EventEmitter {
  /** BullMQ enables keep-alive on its socket. */
  readonly connection: unknown;

  constructor(
    private readonly shared: SharedClient,
    client: PoolClient,
  ) {
    super();
    this.connection = (client as PoolClient & { connection?: unknown }).connection;
  }

  query(text: string, values?: unknown[]): Promise<QueryResult> {
    return this.shared.query(text, values);
  }

  release(): void {
    this.shared.leave(this);
  }
}
