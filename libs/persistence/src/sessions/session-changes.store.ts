import type { DataSource } from 'typeorm';
import { queryRows } from '../sql.js';

export type SessionChange = 'changed' | 'not_found';
export type SessionDeletion = 'deleted' | 'not_found' | 'busy';

/** A deleted session of which something may be left outside of the database. */
export interface ErasableSession {
  readonly sessionId: string;
  readonly tenantId: string;
  readonly executionIds: readonly string[];
}

/** Changes to conversations as a whole. */
export class SessionChangesStore {
  constructor(private readonly dataSource: DataSource) {}

  /** An archived session takes no executions any more; those that it has go on. Repeating it changes nothing. */
  async setArchived(tenantId: string, sessionId: string, isArchived: boolean): Promise<SessionChange> {
    const rows = await queryRows(
      this.dataSource,
      `UPDATE chat_session SET is_active = $3 WHERE tenant_id = $1 AND id = $2 RETURNING id`,
      [tenantId, sessionId, !isArchived],
    );
    return rows.length > 0 ? 'changed' : 'not_found';
  }

  /**
   * Lets the next execution begin afresh (S4-35): its model is shown none of the turns that have begun by now, and no
   * summary of them. They stay readable, and the session keeps its system prompt and its title.
   */
  async reset(tenantId: string, sessionId: string): Promise<SessionChange> {
    const rows = await queryRows(
      this.dataSource,
      `WITH reset AS (
         UPDATE chat_session
            SET engine_session_id = NULL,
                engine_first_turn = greatest(
                  engine_first_turn,
                  (SELECT coalesce(max(turn_number), 0) + 1 FROM execution WHERE session_id = $2 AND started_at IS NOT NULL))
          WHERE tenant_id = $1 AND id = $2 RETURNING id, engine_first_turn
       ), forgotten AS (
         DELETE FROM session_summary USING reset
          WHERE session_summary.session_id = reset.id AND session_summary.first_turn < reset.engine_first_turn
       ), dropped AS (
         DELETE FROM session_summary_order USING reset WHERE session_summary_order.session_id = reset.id
       )
       SELECT id FROM reset`,
      [tenantId, sessionId],
    );
    return rows.length > 0 ? 'changed' : 'not_found';
  }

  /**
   * Deletes a session with everything that belongs to it. `busy`: an execution of it has not ended, and nothing was deleted.
   * What was spent stays in the accounts, without what leads to the session. What lies outside of the database is noted
   * here and erased by {@link eraseDeletedSessions}.
   */
  delete(tenantId: string, sessionId: string): Promise<SessionDeletion> {
    return this.dataSource.transaction(async (manager) => {
      // First of all, as by everybody who accepts or settles.
      const found = await queryRows(
        manager,
        `SELECT 1 FROM chat_session WHERE tenant_id = $1 AND id = $2 FOR UPDATE`,
        [tenantId, sessionId],
      );
      if (found.length === 0) return 'not_found';
      const executions = await queryRows<{ id: string; is_open: boolean }>(
        manager,
        `SELECT id, status IN ('queued', 'running', 'requires_action') AS is_open FROM execution WHERE session_id = $1`,
        [sessionId],
      );
      if (executions.some((execution) => execution.is_open)) return 'busy';
      const ids = executions.map(({ id }) => id);
      await queryRows(
        manager,
        `INSERT INTO deleted_session (session_id, tenant_id, execution_ids) VALUES ($1, $2, $3)`,
        [sessionId, tenantId, ids],
      );
      await queryRows(
        manager,
        `UPDATE usage_log SET session_id = NULL, response_id = NULL WHERE session_id = $1`,
        [sessionId],
      );
      await queryRows(manager, `DELETE FROM execution_event WHERE execution_id = ANY($1::uuid[])`, [ids]);
      await queryRows(manager, `DELETE FROM chat_session WHERE id = $1`, [sessionId]);
      return 'deleted';
    });
  }
}

/** How often a session is erased: again after a while, since whoever settled or named it may just have been writing. */
const ERASURES = 2;
const AGAIN_AFTER_MS = 60_000;
const AT_ONCE = 100;

/**
 * Erases what deleted sessions have left outside of the database. What fails is tried again. Answers how many were erased.
 */
export async function eraseDeletedSessions(
  dataSource: DataSource,
  erase: (session: ErasableSession) => Promise<void>,
): Promise<number> {
  const due = await queryRows<ErasableSession & { readonly erasures: number }>(
    dataSource,
    `UPDATE deleted_session SET due_at = now() + $1 * interval '1 millisecond'
      WHERE session_id IN (SELECT session_id FROM deleted_session WHERE due_at <= now()
                            ORDER BY due_at LIMIT $2 FOR UPDATE SKIP LOCKED)
      RETURNING session_id AS "sessionId", tenant_id AS "tenantId", execution_ids AS "executionIds", erasures`,
    [AGAIN_AFTER_MS, AT_ONCE],
  );
  for (const { erasures, ...session } of due) {
    await erase(session);
    const isLast = erasures + 1 >= ERASURES;
    await queryRows(
      dataSource,
      isLast
        ? `DELETE FROM deleted_session WHERE session_id = $1`
        : `UPDATE deleted_session SET erasures = erasures + 1 WHERE session_id = $1`,
      [session.sessionId],
    );
  }
  return due.length;
}
