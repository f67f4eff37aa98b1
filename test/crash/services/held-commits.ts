import type { Pool, PoolClient } from 'pg';
import { waitFor } from '../../support/services/wait-for.js';

/** The rows at which transactions are held. */
export const HELD_WRITES = {
  'the intents of calls': `AFTER INSERT ON journal_entry DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (NEW.kind = 'tool_call_started')`,
  'the endings of executions': `AFTER UPDATE ON execution DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (NEW.finished_at IS NOT NULL)`,
} as const;
export type HeldWrite = keyof typeof HELD_WRITES;

const LOCK = 7_340_001;

/**
 * Holds transactions inside their commit, when all rows are written and none is visible yet: a deferred constraint trigger
 * waits there for a lock. The service needs no hook for it.
 */
export class HeldCommits {
  private constructor(
    private readonly database: Pool,
    private readonly holder: PoolClient,
  ) {}

  static async begin(database: Pool, write: HeldWrite): Promise<HeldCommits> {
    await database.query(`
      CREATE OR REPLACE FUNCTION held_commit() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN PERFORM pg_advisory_xact_lock_shared(${LOCK}); RETURN NULL; END $$`);
    await database.query(
      `CREATE CONSTRAINT TRIGGER held_commit ${HELD_WRITES[write]} EXECUTE FUNCTION held_commit()`,
    );
    const holder = await database.connect();
    await holder.query(`SELECT pg_advisory_lock(${LOCK})`);
    return new HeldCommits(database, holder);
  }

  /** The ids of the backends that are held in a commit. */
  async standing(): Promise<readonly number[]> {
    const { rows } = await this.database.query<{ pid: number }>(
      `SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND objid = ${LOCK} AND NOT granted`,
    );
    return rows.map(({ pid }) => pid);
  }

  /** Rolls back all held transactions, as a crash of the database would, and lets later ones pass. */
  async rollBack(): Promise<void> {
    const given = new Set(await this.standing());
    await this.database.query('SELECT pg_terminate_backend(pid) FROM unnest($1::int[]) AS pid', [[...given]]);
    const areGone = async (): Promise<boolean> => (await this.standing()).every((pid) => !given.has(pid));
    await waitFor(areGone, { description: 'commits to be given up' });
    await this.letThrough();
  }

  /** Lets all held transactions commit. */
  async letThrough(): Promise<void> {
    await this.holder.query(`SELECT pg_advisory_unlock(${LOCK})`);
    this.holder.release();
    for (const table of ['journal_entry', 'execution'])
      await this.database.query(`DROP TRIGGER IF EXISTS held_commit ON ${table}`);
  }
}
