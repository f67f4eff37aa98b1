import type { Pool, PoolClient } from 'pg';
import { waitFor } from '../../support/services/wait-for.js';

/** Which transactions are held: those that write such a row. */
export const HELD_WRITES = {
  'the intents of calls': `AFTER INSERT ON journal_entry DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (NEW.kind = 'tool_call_started')`,
  'the endings of executions': `AFTER UPDATE ON execution DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (NEW.finished_at IS NOT NULL)`,
} as const;
export type HeldWrite = keyof typeof HELD_WRITES;

const LOCK = 7_340_001;

/**
 * Holds transactions inside their commit, where everything is written and nothing is visible yet: a deferred constraint
 * trigger waits there for a lock. Nobody in the service knows of it.
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

  /** Backends that stand in a commit. */
  async standing(): Promise<readonly number[]> {
    const { rows } = await this.database.query<{ pid: number }>(
      `SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND objid = ${LOCK} AND NOT granted`,
    );
    return rows.map(({ pid }) => pid);
  }

  /** All that stand there are rolled back, as when the database dies then; whoever comes after them passes. */
  async rollBack(): Promise<void> {
    const given = new Set(await this.standing());
    await this.database.query('SELECT pg_terminate_backend(pid) FROM unnest($1::int[]) AS pid', [[...given]]);
    const areGone = async (): Promise<boolean> => (await this.standing()).every((pid) => !given.has(pid));
    await waitFor(areGone, { description: 'commits to be given up' });
    await this.letThrough();
  }

  /** All that stand there take place. */
  async letThrough(): Promise<void> {
    await this.holder.query(`SELECT pg_advisory_unlock(${LOCK})`);
    this.holder.release();
    for (const table of ['journal_entry', 'execution'])
      await this.database.query(`DROP TRIGGER IF EXISTS held_commit ON ${table}`);
  }
}
