import pg from 'pg';
import type { DataSource } from 'typeorm';
import { AppError } from '#libs/kernel';
import { AnsweringClient } from '../answering-client.js';
import { queryRows } from '../sql.js';
import { AFTER_DEATH } from './after-death.js';

/** Sets the locks of workers apart from all other advisory locks. */
const LOCK_CLASS = 4_711_002;

export interface PresenceOptions {
  readonly databaseUrl: string;
  /** Names this process; what follows `#` tells its announcements apart. */
  readonly processName: string;
  /** Executions that it runs at once: what tenants share. */
  readonly places: number;
  /** A connection that leaves a statement unanswered for so long is given up. */
  readonly answerWithinMs: number;
  /** How often the connection is asked whether it is still there; 5 s when omitted. */
  readonly pingEveryMs?: number;
  readonly onError: (error: unknown) => void;
}

const RECONNECT_MS = 1_000;

/**
 * Shows that this process lives: a row and an advisory lock on a connection of its own. When the process dies, the
 * database drops the lock at once and others take over what it ran, without waiting for its leases. Needs a direct
 * connection: a transaction pooler would give the lock to somebody else.
 */
export class WorkerPresence {
  private client: pg.Client | null = null;
  private announcements = 0;
  private reconnect: NodeJS.Timeout | undefined;
  private isStopped = false;
  private id = '';
  /** A connection takes one statement at a time. */
  private lastQuery: Promise<unknown> = Promise.resolve();
  private readonly lossListeners: (() => void)[] = [];

  constructor(private readonly options: PresenceOptions) {}

  /** The name to claim under. Throws `NOT_PRESENT` while there is no connection: what is claimed then counts as orphaned. */
  get workerId(): string {
    if (this.client === null) throw notPresent();
    return this.id;
  }

  /** Called when the connection is gone, and with it the right to go on with anything that was claimed under the old id. */
  onLost(listener: () => void): void {
    this.lossListeners.push(listener);
  }

  /** Throws when the database cannot be reached now; a connection that is lost later is made anew until `stop`. */
  async start(): Promise<void> {
    const client = new AnsweringClient({
      connectionString: this.options.databaseUrl,
      application_name: 'capstan-presence',
      keepAlive: true,
      connectionTimeoutMillis: 5_000,
      query_timeout: this.options.answerWithinMs,
      ...(this.options.pingEveryMs !== undefined && { pingEveryMs: this.options.pingEveryMs }),
    });
    const connection = { hasEnded: false };
    client.on('error', this.options.onError);
    client.once('end', () => {
      connection.hasEnded = true;
      this.lose(client);
    });
    this.announcements += 1;
    const id = `${this.options.processName}#${this.announcements}`;
    try {
      await client.connect();
      await client.query(ANNOUNCE_SQL, [id, LOCK_CLASS, this.options.places]);
      if (connection.hasEnded || this.isStopped) throw notPresent();
    } catch (error) {
      await client.end().catch(this.options.onError);
      throw error;
    }
    this.client = client;
    this.id = id;
  }

  /**
   * One statement on the connection of its own, so that a busy pool holds up no heartbeat. Answers the rows. A connection
   * that does not answer is given up: whoever is cut off from the database must know it.
   */
  async query<Rows>(sql: string, parameters?: unknown[]): Promise<Rows> {
    const { client } = this;
    if (client === null) throw notPresent();
    const answer = this.lastQuery.then(() => client.query(sql, parameters));
    this.lastQuery = answer.catch(() => undefined);
    try {
      const { rows } = await answer;
      return rows as Rows;
    } catch (error) {
      if (!(error instanceof pg.DatabaseError)) await client.end().catch(this.options.onError);
      throw error;
    }
  }

  /** Throws when it is not shown now, or when the connection does not answer. */
  async check(): Promise<void> {
    await this.query('SELECT 1');
  }

  /** Says goodbye: whatever still runs here is not ours any more, and others may take it over at once. */
  async stop(): Promise<void> {
    this.isStopped = true;
    clearTimeout(this.reconnect);
    const { client } = this;
    this.client = null;
    if (!client) return;
    this.tellLoss();
    await client.query(LEAVE_SQL, [this.id]).catch(this.options.onError);
    await client.end().catch(this.options.onError);
  }

  private lose(client: pg.Client): void {
    if (this.client !== client) return;
    this.client = null;
    this.tellLoss();
    this.startAgain();
  }

  private tellLoss(): void {
    for (const listener of this.lossListeners) listener();
  }

  private startAgain(): void {
    if (this.isStopped) return;
    this.reconnect = setTimeout(() => {
      this.start().catch((error: unknown) => {
        this.options.onError(error);
        this.startAgain();
      });
    }, RECONNECT_MS);
  }
}

function notPresent(): AppError {
  return new AppError({
    code: 'NOT_PRESENT',
    kind: 'unavailable',
    message: 'this worker has lost its connection to the database and waits for a new one',
    retryable: true,
  });
}

/**
 * Ends the leases of workers whose lock is gone, so that the next dispatch finds what they ran, sent or were about to take. Answers how many workers
 * were found dead.
 */
export async function releaseDeadWorkers(dataSource: DataSource): Promise<number> {
  const rows = await queryRows<{ dead: number }>(dataSource, RELEASE_SQL, [LOCK_CLASS]);
  return rows[0]?.dead ?? 0;
}

// The lock comes after the row in the same statement; a reaper sees the row only when both are there.
const ANNOUNCE_SQL = `
  WITH announced AS (INSERT INTO worker (id, places) VALUES ($1, $3) RETURNING lock_number)
  SELECT pg_advisory_lock($2, lock_number) FROM announced`;

const RELEASED = `
  UPDATE execution SET lease_expires_at = now() - interval '1 millisecond'
   WHERE status = 'running' AND lease_expires_at > now() AND lease_owner IN (SELECT id FROM dead)`;

const LEAVE_SQL = `WITH dead AS (DELETE FROM worker WHERE id = $1 RETURNING id), ${AFTER_DEATH} ${RELEASED}`;

const RELEASE_SQL = `
  WITH dead AS (
    DELETE FROM worker
     WHERE NOT EXISTS (
       SELECT 1 FROM pg_locks held
        WHERE held.locktype = 'advisory' AND held.granted AND held.classid = $1 AND held.objid = worker.lock_number
          AND held.objsubid = 2
          AND held.database = (SELECT oid FROM pg_database WHERE datname = current_database()))
    RETURNING id
  ), released AS (${RELEASED}), ${AFTER_DEATH}
  SELECT count(*)::int AS dead FROM dead`;
