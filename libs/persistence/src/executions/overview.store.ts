import type { DataSource } from 'typeorm';
import { PLANNED_ANEW } from '../plan-settings.js';
import { queryRows } from '../sql.js';
import { TALLIED, TALLY_ORIGIN, TALLY_WIDTH } from './execution-tally.js';

/** Sums of settled executions that are alike. */
export interface TallyRow {
  /** Beginning of its part of the window. */
  readonly at: Date;
  readonly status: 'completed' | 'incomplete' | 'failed' | 'cancelled';
  readonly error_code: string;
  /** Eighths of the binary logarithm of milliseconds; -1: it never ran. */
  readonly duration_bucket: number;
  readonly count: number;
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly cost_usd: string;
  readonly unpriced: number;
}

export interface UnderWay {
  readonly from: Date;
  readonly to: Date;
  readonly queued: number;
  readonly running: number;
  readonly requires_action: number;
  /** The longest wait of an execution since it could begin; null when none waits. */
  readonly oldest_wait_seconds: number | null;
  /** Executions that a person has not decided in time, in the window. */
  readonly expired_approvals: number;
}

/** A tenant with executions that wait for a worker. */
export interface WaitingTenant {
  readonly tenant_id: string;
  readonly queued: number;
  readonly oldest_wait_seconds: number;
}

export interface OverviewWindow {
  readonly hours: number;
  /** Length of the parts that the window is shown in. */
  readonly partMinutes: number;
}

/** Sums for the overview of a tenant. */
export class OverviewStore {
  constructor(private readonly dataSource: DataSource) {}

  async readUnderWay(tenantId: string, { hours, partMinutes }: OverviewWindow): Promise<UnderWay> {
    const [row] = await queryRows<UnderWay>(this.dataSource, UNDER_WAY_SQL, [tenantId, hours, partMinutes]);
    if (row === undefined) throw new Error('sums without groups are one row');
    return row;
  }

  /** The tenants that wait longest, the first one longest. */
  async readWaitingTenants(limit: number): Promise<WaitingTenant[]> {
    return queryRows<WaitingTenant>(this.dataSource, WAITING_SQL, [limit]);
  }

  async readSettled(
    tenantId: string,
    from: Date,
    { partMinutes }: OverviewWindow,
  ): Promise<readonly TallyRow[]> {
    return queryRows<TallyRow>(this.dataSource, SETTLED_SQL, [tenantId, from.toISOString(), partMinutes]);
  }
}

/** Seconds since the oldest of some queued executions could begin. */
const OLDEST = `extract(epoch FROM greatest(now() - min(greatest(head_since, due_at)), interval '0'))::float8`;
/** Queued executions that could begin now. */
const WAITS = `status = 'queued' AND head_since IS NOT NULL AND (due_at IS NULL OR due_at <= now())`;

/** Reads what is under way and what expired, by indexes of these alone. Parameters: tenant, hours, minutes of a part. */
const UNDER_WAY_SQL = `
  SELECT date_bin($3 * interval '1 minute', now() - $2 * interval '1 hour', ${TALLY_ORIGIN}) AS "from", now() AS "to",
         (SELECT count(*)::int FROM execution WHERE tenant_id = $1 AND status = 'queued') AS queued,
         (SELECT count(*)::int FROM execution WHERE tenant_id = $1 AND status = 'running') AS running,
         (SELECT count(*)::int FROM execution WHERE tenant_id = $1 AND status = 'requires_action') AS requires_action,
         (SELECT ${OLDEST} FROM execution WHERE tenant_id = $1 AND ${WAITS} HAVING count(*) > 0) AS oldest_wait_seconds,
         (SELECT count(*)::int FROM execution WHERE tenant_id = $1 AND approval_expired_at IS NOT NULL
             AND approval_expired_at >= date_bin($3 * interval '1 minute', now() - $2 * interval '1 hour', ${TALLY_ORIGIN})
         ) AS expired_approvals`;

/** Reads queued executions alone, by their partial indexes. Parameter: number of tenants. */
const WAITING_SQL = `
  SELECT tenant_id, count(*)::int AS queued, ${OLDEST} AS oldest_wait_seconds
    FROM execution WHERE ${WAITS} GROUP BY tenant_id ORDER BY oldest_wait_seconds DESC, tenant_id LIMIT $1`;

/**
 * Reads sums, and of executions only those that are not summed yet. Parameters: tenant, beginning, minutes of a part.
 */
export const SETTLED_SQL = `${PLANNED_ANEW}
  WITH tallied AS (
    SELECT coalesce(max(bucket) + ${TALLY_WIDTH}, $2::timestamptz) AS upto FROM execution_tally WHERE tenant_id = $1
  ), row AS (
    SELECT bucket, status, error_code, duration_bucket, count, input_tokens, output_tokens, cost_usd, unpriced
      FROM execution_tally WHERE tenant_id = $1 AND bucket >= $2::timestamptz
    UNION ALL
    SELECT date_bin(${TALLY_WIDTH}, e.finished_at, ${TALLY_ORIGIN}) AS bucket, ${TALLIED}
      FROM execution e
     WHERE e.tenant_id = $1 AND e.finished_at >= greatest((SELECT upto FROM tallied), $2::timestamptz)
       -- Excludes nothing. With an end the planner takes the range for a short one, and reads it by its index.
       AND e.finished_at < now() + interval '1 day'
     GROUP BY 1, 2, 3, 4
  )
  SELECT date_bin($3 * interval '1 minute', bucket, ${TALLY_ORIGIN}) AS at, status, error_code, duration_bucket,
         sum(count)::int AS count, sum(input_tokens)::float8 AS input_tokens, sum(output_tokens)::float8 AS output_tokens,
         trim_scale(sum(cost_usd))::text AS cost_usd, sum(unpriced)::int AS unpriced
    FROM row GROUP BY 1, 2, 3, 4`;
