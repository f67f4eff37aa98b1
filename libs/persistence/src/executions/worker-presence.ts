import { randomUUID } from 'node:crypto';
import pg from 'pg';
import type { DataSource } from 'typeorm';
import { AppError } from '#libs/kernel';
import { AnsweringClient } from '../answering-client.js';
import { queryRows } from '../sql.js';
import { AFTER_DEATH } from './after-death.js';

/** Sets the locks of workers apart from all other advisory locks. */
export const LOCK_CLASS = 4_711_002;

export interface PresenceOptions {
  readonly databaseUrl: string;
  /** Names this process; what follows `#` distinguishes it from others that had the same name before. */
  readonly processName: string;
  /** Executions that it runs at once: what tenants share. */
  readonly places: number;
  /** Shown in the list of workers; empty when omitted. */
  readonly shown?: { readonly release: string; readonly roles: readonly string[] };
  /** A connection that leaves a statement unanswered for so long is given up. */
  readonly answerWithinMs: number;
  /** How often the connection is asked whether it is still there; 5 s when omitted. */
  readonly pingEveryMs?: number;
  readonly onError: (error: unknown) => void;
}

/** At once, since the database often ends connections without going away. */
const FIRST_RECONNECT_MS = 20;
/** Often within the grace that other workers give; a database that stays away longer is asked less. */
const LONGEST_EAGER_MS = 100;
const EAGER_TRIES = 10;
const LONGEST_RECONNECT_MS = 500;

/** Pause before a try to connect again, in milliseconds; tries count from 0. */
export function reconnectPauseMs(tries: number): number {
  const longest = tries < EAGER_TRIES ? LONGEST_EAGER_MS : LONGEST_RECONNECT_MS;
  return Math.min(longest, FIRST_RECONNECT_MS * 2 ** tries);
}

/**
 * Shows that this process lives: a row and an advisory lock on a connection of its own. When the process dies, the
 * database drops the lock at once and others take over what it ran, without waiting for its leases. A process that lives
 * and loses the connection announces itself again under the same id, before anybody counts it as dead. Needs a direct
 * connection: a transaction pooler would give the lock to somebody else.
 */
export class WorkerPresence {
  private client: pg.Client | null = null;
  private reconnect: NodeJS.Timeout | undefined;
  private isStopped = false;
  private readonly id: string;
  /** A connection takes one statement at a time. */
  private lastQuery: Promise<unknown> = Promise.resolve();
  private readonly returnListeners: (() => void)[] = [];
  private readonly leaveListeners: (() => void)[] = [];
  private waiting = Promise.withResolvers<undefined>();

  constructor(private readonly options: PresenceOptions) {
    this.id = `${options.processName}#${randomUUID().slice(0, 8)}`;
  }

  /** The name to claim under. Throws `NOT_PRESENT` while there is no connection: nothing new begins then. */
  get workerId(): string {
    if (this.client === null) throw notPresent();
    return this.id;
  }

  get isPresent(): boolean {
    return this.client !== null;
  }

  /** Resolves when this process is announced; at once when it is, and also when it says goodbye. */
  whenPresent(): Promise<unknown> {
    return this.isPresent || this.isStopped ? Promise.resolve() : this.waiting.promise;
  }

  /** Called when a lost connection was replaced: meanwhile others may have taken over what runs here. */
  onReturn(listener: () => void): void {
    this.returnListeners.push(listener);
  }

  /** Called when this process says goodbye, and with it gives up the right to go on with anything that it claimed. */
  onLeave(listener: () => void): void {
    this.leaveListeners.push(listener);
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
    try {
      await client.connect();
      const { places, shown } = this.options;
      await client.query(ANNOUNCE_SQL, [
        ...[this.id, LOCK_CLASS, places],
        ...[shown?.release ?? null, shown?.roles ?? []],
      ]);
      if (connection.hasEnded || this.isStopped) throw notPresent();
    } catch (error) {
      await client.end().catch(this.options.onError);
      throw error;
    }
    this.client = client;
    this.waiting.resolve(undefined);
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

  /** Shows that it begins nothing new. */
  async showDraining(): Promise<void> {
    await this.query('UPDATE worker SET draining_since = coalesce(draining_since, now()) WHERE id = $1', [
      this.id,
    ]);
  }

  /** Says goodbye: whatever still runs here is not ours any more, and others may take it over at once. */
  async stop(): Promise<void> {
    this.isStopped = true;
    clearTimeout(this.reconnect);
    const { client } = this;
    this.client = null;
    this.waiting.resolve(undefined);
    for (const listener of this.leaveListeners) listener();
    if (!client) return;
    await client.query(LEAVE_SQL, [this.id]).catch(this.options.onError);
    await client.end().catch(this.options.onError);
  }

  private lose(client: pg.Client): void {
    if (this.client !== client) return;
    this.client = null;
    this.waiting = Promise.withResolvers();
    this.startAgain(0);
  }

  private startAgain(tries: number): void {
    if (this.isStopped) return;
    this.reconnect = setTimeout(() => {
      this.start().then(
        () => {
          for (const listener of this.returnListeners) listener();
        },
        (error: unknown) => {
          this.options.onError(error);
          this.startAgain(tries + 1);
        },
      );
    }, reconnectPauseMs(tries));
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
 * The announcements, by their numbers, of workers whose lock is gone: they died, or they have lost a connection and are
 * about to announce themselves again, under another number.
 */
export async function findMissingWorkers(dataSource: DataSource): Promise<readonly number[]> {
  const rows = await queryRows<{ lock_number: number }>(
    dataSource,
    `SELECT lock_number FROM worker WHERE ${IS_MISSING}`,
    [LOCK_CLASS],
  );
  return rows.map((row) => row.lock_number);
}

/**
 * Ends the leases of the workers with these announcements, unless they have come back, so that the next dispatch finds what
 * they ran, sent or were about to take. Answers how many workers were found dead.
 */
export async function releaseDeadWorkers(
  dataSource: DataSource,
  missing: readonly number[],
): Promise<number> {
  const rows = await queryRows<{ dead: number }>(dataSource, RELEASE_SQL, [LOCK_CLASS, missing]);
  return rows[0]?.dead ?? 0;
}

/** Whether there is a worker that lives and runs executions. */
export async function isAnyWorkerPresent(dataSource: DataSource): Promise<boolean> {
  const [row] = await queryRows<{ present: boolean }>(
    dataSource,
    `SELECT EXISTS (SELECT 1 FROM worker WHERE places > 0 AND NOT (${IS_MISSING})) AS present`,
    [LOCK_CLASS],
  );
  return row?.present === true;
}

// The lock comes after the row in the same statement; a reaper sees the row only when both are there. Each announcement
// has a lock of its own: the one before may still be held for a connection of which the database does not know yet that
// it is gone.
const ANNOUNCE_SQL = `
  WITH announced AS (
    INSERT INTO worker (id, places, release, roles) VALUES ($1, $3, $4, $5)
    ON CONFLICT (id) DO UPDATE SET lock_number = DEFAULT, places = $3 RETURNING lock_number
  )
  SELECT pg_advisory_lock($2, lock_number) FROM announced`;

/** Whether nobody holds the lock of a row of `worker`; `$1` is {@link LOCK_CLASS}. */
export const IS_MISSING = `NOT EXISTS (
  SELECT 1 FROM pg_locks held
   WHERE held.locktype = 'advisory' AND held.granted AND held.classid = $1 AND held.objid = worker.lock_number
     AND held.objsubid = 2
     AND held.database = (SELECT oid FROM pg_database WHERE datname = current_database()))`;

const RELEASED = `
  UPDATE execution SET lease_expires_at = now() - interval '1 millisecond'
   WHERE status = 'running' AND lease_expires_at > now() AND lease_owner IN (SELECT id FROM dead)`;

const LEAVE_SQL = `WITH dead AS (DELETE FROM worker WHERE id = $1 RETURNING id), ${AFTER_DEATH} ${RELEASED}`;

const RELEASE_SQL = `
  WITH dead AS (
    DELETE FROM worker WHERE lock_number = ANY($2::int[]) AND ${IS_MISSING} RETURNING id
  ), released AS (${RELEASED}), ${AFTER_DEATH}
  SELECT count(*)::int AS dead FROM dead`;
