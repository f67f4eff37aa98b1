import { queryRows, type Queryable } from '../sql.js';

/**
 * Marks all unsettled executions as restored now: their work after the backup may have been done already. A later restore
 * overwrites the time. Returns their number.
 */
export async function markRestored(manager: Queryable): Promise<number> {
  const [row] = await queryRows<{ readonly marked: number }>(
    manager,
    `WITH unsettled AS MATERIALIZED (
       SELECT id FROM execution WHERE status IN ('queued', 'running', 'requires_action')
        ORDER BY id FOR NO KEY UPDATE
     ), marked AS (
       UPDATE execution SET restored_at = now() WHERE id IN (SELECT id FROM unsettled) RETURNING id
     )
     SELECT count(*)::int AS marked FROM marked`,
  );
  return row?.marked ?? 0;
}
