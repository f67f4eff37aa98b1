import type { DataSource } from 'typeorm';
import { DeletedSessionEntity } from '../entities/deleted-session.entity.js';
import { queryRows } from '../sql.js';

/** A deleted session that may have left files or live events outside of the database. */
export interface ErasableSession {
  readonly sessionId: string;
  readonly tenantId: string;
  readonly executionIds: readonly string[];
}

/** Number of times that a session is erased: a worker may still have been writing for it at the first time. */
const ERASURES = 2;
const AGAIN_AFTER_MS = 60_000;
const AT_ONCE = 100;

/**
 * Erases what deleted sessions have left outside of the database; an erasure that fails is repeated later. Returns the
 * number of erasures.
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
