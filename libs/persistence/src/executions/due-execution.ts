/**
 * Condition for due executions, for dispatch and claim; `e` is the table. The delay between consecutive losses grows, so
 * that an execution which kills workers does not kill them as fast as they start; the first loss has no delay.
 */
export function isDueSql(e: string): string {
  return `(${e}.due_at IS NULL OR ${e}.due_at <= now())`;
}

/** True for an execution that was claimed as it was accepted, and whose worker has not taken it: no attempt has begun. */
export function isUntakenSql(e: string): string {
  return `(${e}.status = 'running' AND ${e}.attempt = 0)`;
}

/**
 * Condition for executions with a dead worker, or an expired lease, after the delay. The first bound on the lease is
 * redundant; it saves the journal lookup for running executions.
 */
export function isLostSql(e: string): string {
  return `(${e}.status = 'running' AND ${isDueSql(e)} AND ${e}.lease_expires_at < now()
           AND ${e}.lease_expires_at < now() - ${delayAfterLossSql(e)})`;
}

/** Delay after the end of the lease before another worker may claim it; zero if the lost attempt made progress. */
export function delayAfterLossSql(e: string): string {
  return retryDelaySql(`${lossesSql(e)} - 1`, e);
}

/**
 * Number of consecutive losses including the running attempt, if one has begun; progress resets the earlier ones. `OFFSET 0`
 * keeps the planner from reading the whole journal.
 */
export function lossesSql(e: string): string {
  return `CASE WHEN EXISTS (SELECT 1 FROM journal_entry fact
                      WHERE fact.execution_id = ${e}.id AND fact.epoch = ${e}.epoch
                        AND fact.kind <> 'model_call_lost' OFFSET 0) THEN 1
               ELSE ${e}.lost_attempts + least(${e}.attempt, 1) END`;
}

/**
 * Delay after an attempt that requeues itself. It grows with the attempts since the last progress, so that a long
 * execution with regular progress is not delayed. It is never zero, because the cause of the failure may persist.
 */
export function delayAfterAttemptSql(e: string): string {
  const sinceProgress = `${e}.epoch - coalesce((
    SELECT max(fact.epoch) FROM journal_entry fact
     WHERE fact.execution_id = ${e}.id AND fact.kind <> ALL('{${GETS_NOWHERE.join(',')}}')), 0)`;
  return retryDelaySql(`greatest(1, ${sinceProgress})`, e);
}

/** Whether the running attempt has made progress. */
export function hasGotFurtherSql(e: string): string {
  return `EXISTS (SELECT 1 FROM journal_entry fact
                   WHERE fact.execution_id = ${e}.id AND fact.epoch = ${e}.epoch
                     AND fact.kind <> ALL('{${GETS_NOWHERE.join(',')}}'))`;
}

/** Facts that any attempt can write without progress. */
const GETS_NOWHERE = ['model_call_lost', 'model_call_interrupted', 'tool_call_not_begun'];

/** @param times SQL expression of the number of failed tries */
export function retryDelaySql(times: string, e: string): string {
  return `retry_delay(${times}, ${e}.id::text || ${e}.attempt)`;
}

/**
 * First due, unsent executions of a tenant by acceptance: `id` and `created_at`. Two parts each read the beginning of
 * their index range, so that postponed executions cost nothing.
 * @param tenant SQL expression of the tenant
 * @param most SQL expression of the limit
 */
export function unsentSql(tenant: string, most: string): string {
  const part = (isDue: string): string => `
    (SELECT id, created_at FROM execution
      WHERE status = 'queued' AND head_since IS NOT NULL AND dispatched_at IS NULL AND tenant_id = ${tenant} AND ${isDue}
      ORDER BY due_at, created_at, id LIMIT ${most})`;
  return `SELECT id, created_at FROM (${part('due_at IS NULL')} UNION ALL ${part('due_at <= now()')}) unsent
    ORDER BY created_at, id LIMIT ${most}`;
}
