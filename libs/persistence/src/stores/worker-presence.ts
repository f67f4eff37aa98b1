import pg from 'pg';
import type { DataSource } from 'typeorm';
import { queryRows } from '../sql.js';

/** Sets the locks of workers apart from all other advisory locks. */
const LOCK_CLASS = 4_711_002;

export interface PresenceOptions {
  readonly databaseUrl: string;
  /** Names this process; what follows `#` tells its announcements apart. */
  readonly processName: string;
  /** The connection is gone, and with it the right to go on with anything that was claimed under the old id. */
  readonly onLost: () => void;
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

  constructor(private readonly options: PresenceOptions) {}

  /** The name to claim under. */
  get workerId(): string {
    return this.id;
  }

  /** Throws when the database cannot be reached now; a connection that is lost later is made anew until `stop`. */
  async start(): Promise<void> {
    const client = new pg.Client({
      connectionString: this.options.databaseUrl,
      application_name: 'capstan-presence',
      keepAlive: true,
      connectionTimeoutMillis: 5_000,
    });
    client.on('error', (error) => {
      this.options.onError(error);
    });
    this.announcements += 1;
    const id = `${this.options.processName}#${this.announcements}`;
    try {
      await client.connect();
      await client.query(ANNOUNCE_SQL, [id, LOCK_CLASS]);
    } catch (error) {
      await client.end().catch(this.options.onError);
      throw error;
    }
    // Not before: one that never stood has nothing to lose, and whoever called tries again.
    client.once('end', () => {
      this.lose(client);
    });
    this.client = client;
    this.id = id;
  }

  /** Says goodbye: whatever still runs here is not ours any more, and others may take it over at once. */
  async stop(): Promise<void> {
    this.isStopped = true;
    clearTimeout(this.reconnect);
    const { client } = this;
    this.client = null;
    if (!client) return;
    this.options.onLost();
    await client.query(LEAVE_SQL, [this.id]).catch(this.options.onError);
    await client.end().catch(this.options.onError);
  }

  private lose(client: pg.Client): void {
    if (this.isStopped || this.client !== client) return;
    this.client = null;
    this.options.onLost();
    this.startLater();
  }

  private startLater(): void {
    if (this.isStopped) return;
    this.reconnect = setTimeout(() => {
      this.start().catch((error: unknown) => {
        this.options.onError(error);
        this.startLater();
      });
    }, RECONNECT_MS);
  }
}

/**
 * Ends the leases of workers whose lock is gone, so that the next dispatch finds what they ran. Answers how many workers
 * were found dead.
 */
export async function releaseDeadWorkers(dataSource: DataSource): Promise<number> {
  const rows = await queryRows<{ dead: number }>(dataSource, RELEASE_SQL, [LOCK_CLASS]);
  return rows[0]?.dead ?? 0;
}

// The lock comes after the row in the same statement; a reaper sees the row only when both are there.
const ANNOUNCE_SQL = `
  WITH announced AS (INSERT INTO worker (id) VALUES ($1) RETURNING lock_number)
  SELECT pg_advisory_lock($2, lock_number) FROM announced`;

const RELEASED = `
  UPDATE execution SET lease_expires_at = now() - interval '1 millisecond'
   WHERE status = 'running' AND lease_expires_at > now() AND lease_owner IN (SELECT id FROM dead)`;

const LEAVE_SQL = `WITH dead AS (DELETE FROM worker WHERE id = $1 RETURNING id) ${RELEASED}`;

const RELEASE_SQL = `
  WITH dead AS (
    DELETE FROM worker
     WHERE NOT EXISTS (
       SELECT 1 FROM pg_locks held
        WHERE held.locktype = 'advisory' AND held.granted AND held.classid = $1 AND held.objid = worker.lock_number
          AND held.objsubid = 2
          AND held.database = (SELECT oid FROM pg_database WHERE datname = current_database()))
    RETURNING id
  ), released AS (${RELEASED})
  SELECT count(*)::int AS dead FROM dead`;
