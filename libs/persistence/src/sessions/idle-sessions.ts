import type { DataSource } from 'typeorm';
import { queryRows } from '../sql.js';

/** So many at once, so that no transaction of this is long; the rest is found the next time. */
const AT_ONCE = 500;

/** Of a tenant that keeps its conversations for a number of days only. */
export interface IdleSession {
  readonly tenantId: string;
  readonly sessionId: string;
}

/**
 * Conversations that had no turn for as long as their tenant keeps them (`settings.retention.days`), and of which
 * nothing waits or runs. Time is that of the database.
 */
export function findIdleSessions(dataSource: DataSource, limit = AT_ONCE): Promise<IdleSession[]> {
  return queryRows<IdleSession>(
    dataSource,
    `SELECT session.tenant_id AS "tenantId", session.id AS "sessionId"
       FROM (SELECT id, now() - (settings #>> '{retention,days}')::int * interval '1 day' AS kept_since
               FROM tenant WHERE jsonb_typeof(settings #> '{retention,days}') = 'number') tenant
       JOIN chat_session session ON session.tenant_id = tenant.id AND session.created_at < tenant.kept_since
      WHERE NOT EXISTS (
              SELECT 1 FROM execution e
               WHERE e.session_id = session.id
                 AND (e.status IN ('queued', 'running', 'requires_action') OR e.created_at >= tenant.kept_since
                      OR e.finished_at >= tenant.kept_since))
      LIMIT $1`,
    [limit],
  );
}
