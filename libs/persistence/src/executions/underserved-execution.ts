import type { Underserved } from '#libs/executions';
import type { DataSource } from 'typeorm';
import { queryRows } from '../sql.js';
import { isDueSql, unsentSql } from './due-execution.js';

export interface UnderservedOptions {
  /** Share of all slots (0 < share ≤ 1) at which a tenant counts as served. */
  readonly tenantShare: number;
  readonly limit: number;
  /** Maximum executions per tenant. */
  readonly tenantLimit: number;
  /** The look begins with the tenant after this one, in the order of their ids, and goes on from the first. */
  readonly after: string;
}

/** Maximum tenants in line per look; the next look goes on after them. */
const MAX_TENANTS = 200;

/**
 * Waiting executions of tenants below their slot share, those with the fewest slots first, and the last tenant that was
 * looked at. Sent executions are included, because their jobs may be behind those of other tenants.
 */
export async function findUnderserved(
  dataSource: Pick<DataSource, 'query'>,
  { tenantShare, limit, tenantLimit, after }: UnderservedOptions,
): Promise<Underserved> {
  const rows = await queryRows<{ id: string | null; tenant_id: string | null }>(dataSource, UNDERSERVED_SQL, [
    ...[tenantShare, limit, tenantLimit, after],
  ]);
  const executions = rows.flatMap(({ id, tenant_id: tenantId }) =>
    id === null || tenantId === null ? [] : [{ executionId: id, tenantId }],
  );
  return { executions, last: rows.find(({ id }) => id === null)?.tenant_id ?? after };
}

/**
 * Looks each tenant up by itself, and reads no more of what it runs than its share. Executions that were sent are read
 * only if a tenant has less, by `dispatched_at` alone and filtered afterwards: the index of all that are in line has the
 * whole backlog.
 */
const UNDERSERVED_SQL = `
  WITH share AS MATERIALIZED (
    SELECT places_of_a_tenant($1::float8) AS places
  ), waiting AS MATERIALIZED (
    SELECT tenant_id, row_number() OVER () AS place FROM tenants_in_line($4::text) AS tenant_id LIMIT ${MAX_TENANTS}
  ), below AS (
    SELECT waiting.tenant_id, held.running
      FROM share JOIN waiting ON share.places IS NOT NULL
      CROSS JOIN LATERAL (
        SELECT count(*)::int AS running FROM (
          SELECT 1 FROM execution e
           WHERE e.status = 'running' AND e.tenant_id = waiting.tenant_id LIMIT share.places) counted
      ) held
     WHERE held.running < share.places
  ), sent AS MATERIALIZED (
    SELECT id, tenant_id, created_at
      FROM (SELECT id, tenant_id, created_at, status, head_since, due_at
              FROM execution WHERE dispatched_at IS NOT NULL OFFSET 0) e
     WHERE e.status = 'queued' AND e.head_since IS NOT NULL AND ${isDueSql('e')}
  ), tenants AS (
    SELECT tenant_id, running FROM below
     WHERE tenant_id IN (SELECT tenant_id FROM sent) OR EXISTS (${unsentSql('below.tenant_id', '1')})
  ), found AS (
    SELECT next.id, tenants.tenant_id
      FROM tenants
      CROSS JOIN LATERAL (
        SELECT id, created_at FROM (
          (${unsentSql('tenants.tenant_id', '$3::int')})
          UNION ALL
          SELECT sent.id, sent.created_at FROM sent WHERE sent.tenant_id = tenants.tenant_id
        ) both_kinds ORDER BY created_at, id LIMIT $3::int
      ) next
     ORDER BY tenants.running, next.created_at LIMIT $2::int
  )
  SELECT id, tenant_id FROM found
  UNION ALL
  (SELECT NULL, tenant_id FROM waiting ORDER BY place DESC LIMIT 1)`;
