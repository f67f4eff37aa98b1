import { randomUUID } from 'node:crypto';
import pg from 'pg';
import type { DataSource } from 'typeorm';
import { AppError } from '#libs/kernel';
import type { ShownHost } from '../entities/worker.entity.js';
import { AnsweringClient } from '../answering-client.js';
import { queryRows } from '../sql.js';
import { AFTER_DEATH } from './after-death.js';

/** Class of workers' advisory locks, distinct from all others. */
export const LOCK_CLASS = 4_711_002;

export interface PresenceOptions {
  readonly databaseUrl: string;
  /** Name of this process; a suffix after `#` distinguishes it from earlier processes with the same name. */
  readonly processName: string;
  /** Number of execution slots, which tenants share. */
  readonly places: number;
  /** Release and roles in the list of workers; empty when omitted. */
  readonly shown?: { readonly release: string; readonly roles: readonly string[] };
  /** Time limit of a statement in milliseconds; a connection that exceeds it is abandoned. */
  readonly answerWithinMs: number;
  /** Interval of connection checks in milliseconds; default 5,000. */
  readonly pingEveryMs?: number;
  readonly onError: (error: unknown) => void;
}

/** Milliseconds before the first reconnect; short, since the database often ends connections while it stays available. */
const FIRST_RECONNECT_MS = 20;
/** Maximum pause of the first tries, in milliseconds, within the grace period of other workers; later tries pause longer. */
const MAX_EAGER_MS = 100;
const EAGER_TRIES = 10;
const MAX_RECONNECT_MS = 500;

/** Pause before a reconnect, in milliseconds; tries count from 0. */
export function reconnectPauseMs(tries: number): number {
  const longest = tries < EAGER_TRIES ? MAX_EAGER_MS : MAX_RECONNECT_MS;
  return Math.min(longest, FIRST_RECONNECT_MS * 2 ** tries);
}

/**
 * Presence of this process: a row and an advisory lock on its own connection. When the process dies, the database drops
 * the lock and other workers claim its executions without waiting for leases. A live process that loses the connection
 * announces itself again under the same id within the grace period. Needs a direct connection: a transaction pooler would
 * give the lock to another client.
 */
export class WorkerPresence {
  private client: pg.Client | null = null;
  private reconnect: NodeJS.Timeout | undefined;
  private isStopped = false;
  private readonly id: string;
  /** Serializes queries, because a connection runs one statement at a time. */
  private lastQuery: Promise<unknown> = Promise.resolve();
  private readonly returnListeners: (() => void)[] = [];
  private waiting = Promise.withResolvers<undefined>();
  private address: string | null = null;

  constructor(private readonly options: PresenceOptions) {
    this.id = `${options.processName}#${randomUUID().slice(0, 8)}`;
  }

  /** Announces with the next {@link start} that this process takes executions at the URL. */
  takeAt(address: string): void {
    this.address = address;
  }

  /** Name for claims. Throws `NOT_PRESENT` without a connection, so that no new work begins. */
  get workerId(): string {
    if (this.client === null) throw notPresent();
    return this.id;
  }

  get isPresent(): boolean {
    return this.client !== null;
  }

  /** Resolves once this process is announced, or when it leaves. */
  whenPresent(): Promise<unknown> {
    return this.isPresent || this.isStopped ? Promise.resolve() : this.waiting.promise;
  }

  /** Called after a lost connection was replaced: other workers may have claimed its executions in between. */
  onReturn(listener: () => void): void {
    this.returnListeners.push(listener);
  }

  /** Throws if the database is unreachable; a connection lost later is replaced until `stop`. */
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
        ...[shown?.release ?? null, shown?.roles ?? [], this.address],
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
   * Runs a statement on the presence's own connection, so that a busy pool does not delay heartbeats. Returns the rows. A
   * connection that does not answer is abandoned: a process cut off from the database must notice it.
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

  /** Throws if this process is not announced or its connection does not answer. */
  async check(): Promise<void> {
    await this.query('SELECT 1');
  }

  /** Marks the worker as draining: it begins no new execution. */
  async showDraining(): Promise<void> {
    await this.query('UPDATE worker SET draining_since = coalesce(draining_since, now()) WHERE id = $1', [
      this.id,
    ]);
  }

  /** Shows the model hosts that do not answer this process. */
  async showHosts(hosts: readonly ShownHost[]): Promise<void> {
    await this.query('UPDATE worker SET model_hosts = $2 WHERE id = $1', [this.id, JSON.stringify(hosts)]);
  }

  /** Leaves: executions that still run here may be claimed by other workers at once. */
  async stop(): Promise<void> {
    this.isStopped = true;
    clearTimeout(this.reconnect);
    const { client } = this;
    this.client = null;
    this.waiting.resolve(undefined);
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
 * Lock numbers of announced workers without a lock: they died, or have lost their connection and will announce themselves
 * under another number.
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
 * Ends the leases of these workers unless they have returned, so that the next dispatch finds their executions,
 * deliveries and unclaimed jobs. Returns the number of dead workers.
 */
export async function releaseDeadWorkers(
  dataSource: DataSource,
  missing: readonly number[],
): Promise<number> {
  const rows = await queryRows<{ dead: number }>(dataSource, RELEASE_SQL, [LOCK_CLASS, missing]);
  return rows[0]?.dead ?? 0;
}

/** Whether any live worker runs executions. */
export async function isAnyWorkerPresent(dataSource: DataSource): Promise<boolean> {
  const [row] = await queryRows<{ present: boolean }>(
    dataSource,
    `SELECT EXISTS (SELECT 1 FROM worker WHERE places > 0 AND NOT (${IS_MISSING})) AS present`,
    [LOCK_CLASS],
  );
  return row?.present === true;
}

// Takes the lock in the statement that writes the row, so that other workers see both or neither. Each announcement uses
// a new lock number, since the old lock may still be held by a connection that the database has not noticed as broken.
const ANNOUNCE_SQL = `
  WITH announced AS (
    INSERT INTO worker (id, places, release, roles, address) VALUES ($1, $3, $4, $5, $6)
    ON CONFLICT (id) DO UPDATE SET lock_number = DEFAULT, places = $3, address = $6 RETURNING lock_number
  )
  SELECT pg_advisory_lock($2, lock_number) FROM announced`;

/** True if no connection holds the lock of a row of `worker`; `$1` is {@link LOCK_CLASS}. */
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
