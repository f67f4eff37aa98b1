import { DispatchStore, type DispatchedExecution, type DispatchOptions } from '#libs/executions';
import type { DataSource } from 'typeorm';
import { queryRows } from '../sql.js';
import { isDueSql, isLostSql, unsentSql } from './due-execution.js';

/**
 * Selects executions that can run now: queued heads of sessions, unsent or with a lost job, and running ones with an
 * expired lease. The reconciler repeats this selection periodically.
 */
export class ExecutionDispatchStore extends DispatchStore {
  constructor(private readonly dataSource: Pick<DataSource, 'query'>) {
    super();
  }

  override async take(options: DispatchOptions): Promise<DispatchedExecution[]> {
    const rows = await queryRows<{ id: string }>(this.dataSource, DISPATCH_SQL, [
      options.queueTarget,
      options.redispatchAfterMs,
      options.tenantInFlightCap,
      options.tenantQueueShare,
      options.tenantSlotShare,
    ]);
    return rows.map((row) => ({ executionId: row.id }));
  }

  override async requeue(due: readonly DispatchedExecution[]): Promise<void> {
    await queryRows(
      this.dataSource,
      `UPDATE execution SET dispatched_at = NULL WHERE id = ANY($1) AND status = 'queued' RETURNING id`,
      [due.map((execution) => execution.executionId)],
    );
  }
}

/** Sent recently, so that the job may still be in the queue; an older one counts as lost. */
const IS_WAITING = `dispatched_at > now() - $2 * interval '1 millisecond'`;
const IS_LOST = isLostSql('execution');

// Dispatches executions. The commit is asynchronous, since a sent mark is only a hint. Each part reads a partial index,
// so that the cost does not grow with the backlog; arrays replace joins, because the planner cannot estimate the few
// candidates. Lost executions come first, by the end of their leases, so that one that is lost again and again goes to the
// end of the line; then round-robin over tenants up to the free queue slots. While a tenant below its slot share waits,
// other tenants are not sent more than their share, since their claims would be refused.
const DISPATCH_SQL = `
  WITH tenants AS MATERIALIZED (
    SELECT tenant_id FROM unsent_tenants() AS tenant_id
  ), sent AS MATERIALIZED (
    SELECT id, tenant_id, coalesce(lease_expires_at, created_at) AS since, status, ${IS_WAITING} AS is_waiting,
           (status = 'queued' AND ${isDueSql('execution')}) OR ${IS_LOST} AS is_runnable
      FROM execution WHERE dispatched_at IS NOT NULL
  ), running AS MATERIALIZED (
    SELECT id, tenant_id, lease_expires_at AS since, ${IS_LOST} AND dispatched_at IS NULL AS is_lost
      FROM execution WHERE status = 'running'
  ), in_flight AS MATERIALIZED (
    SELECT tenant_id, count(*) FILTER (WHERE is_running)::int AS running, count(*) FILTER (WHERE NOT is_running)::int AS sent
      FROM (SELECT tenant_id, false AS is_running FROM sent WHERE status = 'queued'
            UNION ALL SELECT tenant_id, true FROM running) begun
     GROUP BY tenant_id
  ), most AS MATERIALIZED (
    SELECT places_of_a_tenant($5::float8) AS places, greatest(1, floor($1::int * $4::float8))::int AS jobs
  ), deprived AS MATERIALIZED (
    SELECT waiting.tenant_id
      FROM (SELECT tenant_id FROM tenants
            UNION SELECT tenant_id FROM sent WHERE status = 'queued') waiting
      LEFT JOIN in_flight USING (tenant_id)
     WHERE coalesce(in_flight.running, 0) < (SELECT places FROM most)
     LIMIT 2
  ), room AS (
    SELECT greatest(0, $1::int - count(*)::int) AS jobs FROM sent WHERE is_waiting
  ), candidates AS MATERIALIZED (
    SELECT id, place, since FROM (
      SELECT id, 0 AS place, since FROM sent WHERE NOT is_waiting AND is_runnable
      UNION ALL
      SELECT id, 0, since FROM running WHERE is_lost
      UNION ALL
      SELECT fresh.id, fresh.place, fresh.created_at
        FROM tenants LEFT JOIN in_flight USING (tenant_id)
        CROSS JOIN LATERAL (
          SELECT greatest(0, least(
             (SELECT jobs FROM room),
             (SELECT jobs FROM most) - coalesce(in_flight.sent, 0),
             $3::int - coalesce(in_flight.sent + in_flight.running, 0),
             (SELECT most.places - coalesce(in_flight.sent + in_flight.running, 0) FROM most
               WHERE EXISTS (SELECT 1 FROM deprived WHERE deprived.tenant_id <> tenants.tenant_id)))) AS jobs
        ) quota
        CROSS JOIN LATERAL (
          SELECT id, created_at, row_number() OVER (ORDER BY created_at, id) AS place
            FROM (${unsentSql('tenants.tenant_id', 'quota.jobs')}) unsent
        ) fresh
    ) runnable
    ORDER BY place, since LIMIT (SELECT jobs FROM room)
  ), found AS MATERIALIZED (
    SELECT id, status, due_at, dispatched_at, lease_expires_at, lost_attempts, attempt, epoch FROM execution
     WHERE id = ANY(ARRAY(SELECT id FROM candidates)) FOR UPDATE SKIP LOCKED
  ), locked AS (
    SELECT id FROM found
     WHERE ((status = 'queued' AND ${isDueSql('found')}) OR ${isLostSql('found')})
       AND (dispatched_at IS NULL OR NOT ${IS_WAITING})
  ), dispatched AS (
    UPDATE execution SET dispatched_at = now() WHERE id = ANY(ARRAY(SELECT id FROM locked)) RETURNING id
  )
  SELECT id, set_config('synchronous_commit', 'off', true)
    FROM candidates JOIN dispatched USING (id) ORDER BY place, since`;
