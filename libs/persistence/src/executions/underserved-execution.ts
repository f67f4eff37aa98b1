import type { DataSource } from 'typeorm';
import { queryRows } from '../sql.js';
import { isDueSql, unsentSql } from './due-execution.js';

export interface UnderservedOptions {
  /** Share of all slots (0 < share ≤ 1) at which a tenant counts as served. */
  readonly tenantShare: number;
  readonly limit: number;
  /** Maximum executions per tenant. */
  readonly tenantLimit: number;
}

/** Maximum tenants per look-up, those with the fewest slots first; further ones follow once these hold slots. */
const MAX_TENANTS = 100;

/**
 * Waiting executions of tenants below their slot share, those with the fewest slots first. Sent ones are included,
 * because their jobs may be behind those of other tenants.
 */
export async function findUnderserved(
  dataSource: Pick<DataSource, 'query'>,
  { tenantShare, limit, tenantLimit }: UnderservedOptions,
): Promise<{ readonly executionId: string; readonly tenantId: string }[]> {
  const rows = await queryRows<{ id: string; tenant_id: string }>(dataSource, UNDERSERVED_SQL, [
    tenantShare,
    limit,
    tenantLimit,
  ]);
  return rows.map((row) => ({ executionId: row.id, tenantId: row.tenant_id }));
}

const WAITS = `e.status = 'queued' AND e.head_since IS NOT NULL AND ${isDueSql('e')}`;

const UNDERSERVED_SQL = `
  WITH sent AS MATERIALIZED (
    SELECT e.id, e.tenant_id, e.created_at FROM execution e WHERE ${WAITS} AND e.dispatched_at IS NOT NULL
  ), tenants AS (
    SELECT waiting.tenant_id, held.running
      FROM (SELECT tenant_id FROM unsent_tenants() AS tenant_id UNION SELECT tenant_id FROM sent) waiting
      CROSS JOIN LATERAL (
        SELECT count(*)::int AS running FROM execution e WHERE e.status = 'running' AND e.tenant_id = waiting.tenant_id
      ) held
     WHERE held.running < places_of_a_tenant($1::float8)
     ORDER BY held.running LIMIT ${MAX_TENANTS}
  )
  SELECT next.id, tenants.tenant_id
    FROM tenants
    CROSS JOIN LATERAL (
      SELECT id, created_at FROM (
        (${unsentSql('tenants.tenant_id', '$3::int')})
        UNION ALL
        SELECT sent.id, sent.created_at FROM sent WHERE sent.tenant_id = tenants.tenant_id
      ) both_kinds ORDER BY created_at, id LIMIT $3::int
    ) next
   ORDER BY tenants.running, next.created_at LIMIT $2::int`;
