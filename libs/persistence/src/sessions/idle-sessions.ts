import type { DataSource } from 'typeorm';
import { queryRows } from '../sql.js';

/** Default limit, which keeps transactions short; later calls find the rest. */
const AT_ONCE = 500;

/** A conversation past the retention time of its tenant. */
export interface IdleSession {
  readonly tenantId: string;
  readonly sessionId: string;
}

/**
 * Finds conversations that had no turn for `settings.retention.days` of their tenant, by the clock of the database, and
 * that have no unsettled execution. SQL, since the condition spans tenants, sessions and their executions.
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
