import { DispatchStore, type DispatchedExecution, type DispatchOptions } from '#libs/executions';
import type { DataSource } from 'typeorm';
import { queryRows } from '../sql.js';
import { isDueSql, isLostSql, unsentSql } from './due-execution.js';

/**
 * Selects executions that can run now: queued heads of sessions, unsent or with a lost job, and running ones with an
 * expired lease. The reconciler repeats this selection periodically.
 */
export class ExecutionDispatchStore extends DispatchStore {
  /** The tenant after which the next dispatch begins, in the order of their ids. */
  private after = '';

  constructor(private readonly dataSource: Pick<DataSource, 'query'>) {
    super();
  }

  override async take(options: DispatchOptions): Promise<DispatchedExecution[]> {
    const rows = await queryRows<{ id: string | null; last: string | null }>(this.dataSource, DISPATCH_SQL, [
      options.queueTarget,
      options.redispatchAfterMs,
      options.tenantInFlightCap,
      options.tenantQueueShare,
      options.tenantSlotShare,
      this.after,
    ]);
    this.after = rows.find(({ last }) => last !== null)?.last ?? '';
    return rows.flatMap(({ id }) => (id === null ? [] : [{ executionId: id }]));
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

/** Maximum tenants per dispatch; the next dispatch goes on after them. */
const MAX_TENANTS = 200;

/** Jobs that have to be free in the queue, and in the share of a tenant with jobs in it, before it is sent more. */
const refillOf = (jobs: string): string => `greatest(1, ${jobs} / 8)`;

// Dispatches executions. The commit is asynchronous, since a sent mark is only a hint. Each part reads a partial index,
// so that the cost does not grow with the backlog; arrays replace joins, because the planner cannot estimate the few
// candidates. Lost executions come first, by the end of their leases, so that one that is lost again and again goes to the
// end of the line; then round-robin over tenants up to the free queue slots. While a tenant below its slot share waits,
// other tenants are not sent more than their share, since their claims would be refused. With a line, each end of an
// execution asks for a dispatch: what a tenant runs is counted only once an eighth of its share of the queue is free.
const DISPATCH_SQL = `
  WITH tenants AS MATERIALIZED (
    SELECT tenant_id, row_number() OVER () AS place FROM unsent_tenants_after($6::text) AS tenant_id LIMIT ${MAX_TENANTS}
  ), sent AS MATERIALIZED (
    SELECT id, tenant_id, coalesce(lease_expires_at, created_at) AS since, status, ${IS_WAITING} AS is_waiting,
           (status = 'queued' AND ${isDueSql('execution')}) OR ${IS_LOST} AS is_runnable
      FROM execution WHERE dispatched_at IS NOT NULL
  ), most AS MATERIALIZED (
    SELECT places_of_a_tenant($5::float8) AS places, greatest(1, floor($1::int * $4::float8))::int AS jobs
  ), room AS MATERIALIZED (
    SELECT greatest(0, $1::int - count(*)::int) AS jobs FROM sent WHERE is_waiting
  ), waiting AS MATERIALIZED (
    SELECT tenant_id, coalesce(held.sent, 0) AS sent, tenants.tenant_id IS NOT NULL AS is_unsent
      FROM tenants FULL JOIN (
        SELECT tenant_id, count(*)::int AS sent FROM sent WHERE status = 'queued' GROUP BY tenant_id
      ) held USING (tenant_id)
  ), ready AS MATERIALIZED (
    SELECT waiting.tenant_id, waiting.sent FROM waiting, most, room
     WHERE waiting.is_unsent AND room.jobs > 0
       AND (waiting.sent = 0
            OR room.jobs >= ${refillOf('$1::int')} AND most.jobs - waiting.sent >= ${refillOf('most.jobs')})
  ), running AS MATERIALIZED (
    SELECT tenant_id, count(*)::int AS held FROM execution
     WHERE status = 'running' AND EXISTS (SELECT 1 FROM ready) GROUP BY tenant_id
  ), deprived AS MATERIALIZED (
    SELECT waiting.tenant_id FROM waiting LEFT JOIN running USING (tenant_id)
     WHERE coalesce(running.held, 0) < (SELECT places FROM most)
     LIMIT 2
  ), candidates AS MATERIALIZED (
    SELECT id, place, since FROM (
      SELECT id, 0 AS place, since FROM sent WHERE NOT is_waiting AND is_runnable
      UNION ALL
      SELECT id, 0, lease_expires_at FROM execution WHERE dispatched_at IS NULL AND ${IS_LOST}
      UNION ALL
      SELECT fresh.id, fresh.place, fresh.created_at
        FROM ready LEFT JOIN running USING (tenant_id)
        CROSS JOIN LATERAL (SELECT ready.sent + coalesce(running.held, 0) AS jobs) begun
        CROSS JOIN LATERAL (
          SELECT greatest(0, least(
             (SELECT jobs FROM room),
             (SELECT jobs FROM most) - ready.sent,
             $3::int - begun.jobs,
             (SELECT most.places - begun.jobs FROM most
               WHERE EXISTS (SELECT 1 FROM deprived WHERE deprived.tenant_id <> ready.tenant_id)))) AS jobs
        ) quota
        CROSS JOIN LATERAL (
          SELECT id, created_at, row_number() OVER (ORDER BY created_at, id) AS place
            FROM (${unsentSql('ready.tenant_id', 'quota.jobs')}) unsent
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
  SELECT id, NULL AS last, set_config('synchronous_commit', 'off', true) FROM (
    SELECT id FROM candidates JOIN dispatched USING (id) ORDER BY place, since) sent
  UNION ALL
  (SELECT NULL, tenant_id, NULL FROM tenants ORDER BY place DESC LIMIT 1)`;
