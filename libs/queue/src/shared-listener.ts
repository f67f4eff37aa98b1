import { EventEmitter } from 'node:events';
import type { Notification, Pool, PoolClient, QueryResult } from 'pg';

/**
 * One connection of the pool on which every queue and worker of a process listens. BullMQ asks the pool for a connection
 * for each worker and keeps it; all of them listen to the same two channels and filter by the name of the queue.
 */
export class SharedListener {
  private current: Promise<SharedClient> | null = null;

  constructor(private readonly pool: Pool) {}

  /** Stands for a connection of its own until it is released. A first attempt that fails does not fail the next one. */
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

/** The connection and the clients that share it; it is closed when the last one of them is released. */
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

  /** Null where the last member left between the opening and this call. */
  join(): ListeningClient | null {
    if (this.isClosed) return null;
    const member = new ListeningClient(this, this.client);
    this.members.add(member);
    return member;
  }

  /** Statements run one after the other: a connection runs one at a time. */
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

  /** The listener for errors stays: a connection may report more than one while it closes. */
  private close(): void {
    this.isClosed = true;
    this.onClosed();
    this.client.off('notification', this.pass);
    this.client.off('error', this.fail);
    this.client.on('error', () => undefined);
    this.client.release(true);
  }
}

/** As much of a client of `pg` as BullMQ uses of one that it keeps. */
export class ListeningClient extends EventEmitter {
  /** BullMQ turns keep-alive on at its socket. */
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
