import type { DataSource } from 'typeorm';
import { DeletedSessionEntity } from '../entities/deleted-session.entity.js';
import { queryRows } from '../sql.js';

/** A deleted session of which something may be left outside of the database. */
export interface ErasableSession {
  readonly sessionId: string;
  readonly tenantId: string;
  readonly executionIds: readonly string[];
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
  const deleted = dataSource.getRepository(DeletedSessionEntity);
  // One statement takes them, so that no two processes erase the same session at the same time.
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
    const { sessionId } = session;
    if (erasures + 1 >= ERASURES) await deleted.delete({ sessionId });
    else await deleted.increment({ sessionId }, 'erasures', 1);
  }
  return due.length;
}
