import type { DataSource } from 'typeorm';
import { queryRows } from '../sql.js';

/** Width of a bucket of time. */
export const TALLY_WIDTH = `interval '5 minutes'`;
export const TALLY_ORIGIN = `timestamptz '2000-01-01 00:00:00+00'`;

/** A transaction that settles an execution takes the time of its beginning; it has ended by then. */
const SETTLED_FOR = `interval '1 minute'`;
/** Longer than the longest window of an overview. */
const KEPT_FOR = `interval '8 days'`;
/** Time that one statement sums: all that there is would take too long in a database that has never been summed. */
const STEP = `interval '1 hour'`;
/** Statements of one call; the next one goes on. */
const MAX_STEPS = 100;

/** Sums over settled executions `e`: the columns of `execution_tally` after its bucket. */
export const TALLIED = `
  e.status, coalesce(e.error ->> 'code', '') AS error_code,
  (CASE WHEN e.started_at IS NULL THEN -1
        ELSE floor(8 * log(2, greatest(extract(epoch FROM e.finished_at - e.started_at) * 1000, 1))) END)::smallint
    AS duration_bucket,
  count(*)::int AS count, coalesce(sum((e.usage ->> 'input_tokens')::bigint), 0)::bigint AS input_tokens,
  coalesce(sum((e.usage ->> 'output_tokens')::bigint), 0)::bigint AS output_tokens,
  coalesce(sum((e.usage ->> 'total_cost_usd')::numeric), 0) AS cost_usd,
  (count(*) FILTER (WHERE e.usage ? 'unknown_calls'
                       OR e.usage ->> 'total_cost_usd' IS NULL AND (e.usage ->> 'total_tokens')::bigint > 0))::int AS unpriced`;

const TALLY_SQL = `
  WITH bound AS (
    SELECT date_bin(${TALLY_WIDTH}, now() - ${SETTLED_FOR}, ${TALLY_ORIGIN}) AS upto
  ), due AS MATERIALIZED (
    SELECT tenant.id, date_bin(${TALLY_WIDTH}, first.at, ${TALLY_ORIGIN}) AS since, bound.upto
      FROM bound, tenant
      CROSS JOIN LATERAL (
        SELECT max(bucket) + ${TALLY_WIDTH} AS since FROM execution_tally tally WHERE tally.tenant_id = tenant.id
      ) tallied
      CROSS JOIN LATERAL (
        SELECT min(e.finished_at) AS at FROM execution e
         WHERE e.tenant_id = tenant.id AND e.finished_at < bound.upto
           AND e.finished_at >= greatest(tallied.since, now() - ${KEPT_FOR})
      ) first
     WHERE first.at IS NOT NULL
  ), summed AS (
    INSERT INTO execution_tally
    SELECT due.id, date_bin(${TALLY_WIDTH}, e.finished_at, ${TALLY_ORIGIN}), ${TALLIED}
      FROM due
      JOIN execution e ON e.tenant_id = due.id AND e.finished_at >= due.since
                      AND e.finished_at < least(due.since + ${STEP}, due.upto)
     GROUP BY 1, 2, 3, 4, 5
    ON CONFLICT DO NOTHING
  )
  SELECT count(*)::int AS count FROM due`;

/**
 * Sums the executions of every tenant that have settled since it was last called, five minutes at a time, and forgets sums
 * that no overview shows any more. Each execution is read once.
 */
export async function tallyExecutions(dataSource: DataSource): Promise<void> {
  for (let step = 0; step < MAX_STEPS; step += 1) {
    const [due] = await queryRows<{ count: number }>(dataSource, TALLY_SQL);
    if ((due?.count ?? 0) === 0) break;
  }
  await queryRows(dataSource, `DELETE FROM execution_tally WHERE bucket < now() - ${KEPT_FOR} - ${STEP}`);
}
