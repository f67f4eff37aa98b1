import type { DataSource } from 'typeorm';
import { queryRows } from '../sql.js';

export interface DispatchOptions {
  /** How many jobs may wait in the queue; a short queue keeps the order fair and the truth in the database. */
  readonly queueTarget: number;
  /** A job that nobody claimed for so long is taken for lost and sent again. */
  readonly redispatchAfterMs: number;
  /** Executions of one tenant that may be sent or running at once. */
  readonly tenantInFlightCap: number;
}

export interface DispatchedExecution {
  readonly executionId: string;
  /** How often it was claimed before: names the job, so that a job sent twice is one job. */
  readonly attempt: number;
}

/**
 * Selects what can run now: queued heads of their sessions that were not sent, or sent and lost, and running ones
 * whose lease has expired. The reconciler is this same selection, repeated.
 */
export class ExecutionDispatchStore {
  constructor(private readonly dataSource: DataSource) {}

  /** Marks the selected executions as sent and answers them; the caller sends their jobs. Any number may do so at once. */
  async take(options: DispatchOptions): Promise<DispatchedExecution[]> {
    const rows = await queryRows<{ id: string; attempt: number }>(this.dataSource, DISPATCH_SQL, [
      options.queueTarget,
      options.redispatchAfterMs,
      options.tenantInFlightCap,
    ]);
    return rows.map((row) => ({ executionId: row.id, attempt: row.attempt }));
  }

  /** Their jobs could not be sent: they are due at once again. */
  async untake(due: readonly DispatchedExecution[]): Promise<void> {
    await queryRows(
      this.dataSource,
      `UPDATE execution SET dispatched_at = NULL WHERE id = ANY($1) AND status = 'queued' RETURNING id`,
      [due.map((execution) => execution.executionId)],
    );
  }
}

const SENT = `e.dispatched_at > now() - $2 * interval '1 millisecond'`;
const RUNNABLE = `(e.status = 'queued' OR (e.status = 'running' AND e.lease_expires_at < now()))
  AND (e.dispatched_at IS NULL OR NOT ${SENT})`;

// Round-robin over tenants: the first of each, then the second of each, … up to what the queue has room for.
const DISPATCH_SQL = `
  WITH waiting AS (
    SELECT count(*)::int AS jobs FROM execution e WHERE e.status IN ('queued', 'running') AND ${SENT}
  ), tenants AS (
    SELECT tenant_id FROM execution WHERE status = 'queued' GROUP BY tenant_id
    UNION
    SELECT tenant_id FROM execution WHERE status = 'running' AND lease_expires_at < now() GROUP BY tenant_id
  ), candidates AS (
    SELECT head.id, head.place, head.created_at
      FROM tenants
      CROSS JOIN LATERAL (
        SELECT count(*)::int AS jobs FROM execution e
         WHERE e.tenant_id = tenants.tenant_id
           AND (e.status IN ('queued', 'running') AND ${SENT} OR (e.status = 'running' AND e.lease_expires_at >= now()))
      ) in_flight
      CROSS JOIN LATERAL (
        SELECT e.id, e.created_at, row_number() OVER (ORDER BY e.created_at, e.id) AS place FROM execution e
         WHERE e.tenant_id = tenants.tenant_id AND ${RUNNABLE}
           AND NOT EXISTS (
             SELECT 1 FROM execution earlier
              WHERE earlier.session_id = e.session_id AND earlier.turn_number < e.turn_number
                AND earlier.status IN ('queued', 'running', 'requires_action'))
         ORDER BY e.created_at, e.id
         LIMIT greatest(0, least($1::int, $3::int - in_flight.jobs))
      ) head
     ORDER BY head.place, head.created_at
     LIMIT (SELECT greatest(0, $1::int - jobs) FROM waiting)
  ), locked AS (
    SELECT e.id FROM execution e JOIN candidates USING (id)
     WHERE ${RUNNABLE}
       FOR UPDATE OF e SKIP LOCKED
  )
  UPDATE execution e SET dispatched_at = now() FROM locked WHERE e.id = locked.id
  RETURNING e.id, e.attempt`;
