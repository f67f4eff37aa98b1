/**
 * Which executions are due, for dispatch and claim alike; `e` names the table. Between two losses in a row lies a delay that
 * grows, so that what kills workers does not kill one after the other as fast as they start; after the first there is none.
 */
export function isDueSql(e: string): string {
  return `(${e}.due_at IS NULL OR ${e}.due_at <= now())`;
}

/**
 * Its worker is gone, or counts as gone, and the delay after that is over. The first bound on the lease says nothing more:
 * it spares what runs the look into its journal.
 */
export function isLostSql(e: string): string {
  return `(${e}.status = 'running' AND ${isDueSql(e)} AND ${e}.lease_expires_at < now()
           AND ${e}.lease_expires_at < now() - ${delayAfterLossSql(e)})`;
}

/** How long after the end of its lease somebody else goes on with it: no time, where the lost attempt got anywhere. */
export function delayAfterLossSql(e: string): string {
  return retryDelaySql(`${lossesSql(e)} - 1`, e);
}

/**
 * What counts as lost in a row, with the attempt that is running: those before one that got anywhere are forgiven.
 * `OFFSET 0` keeps the planner from reading the whole journal to look into what it has read.
 */
export function lossesSql(e: string): string {
  return `CASE WHEN EXISTS (SELECT 1 FROM journal_entry fact
                      WHERE fact.execution_id = ${e}.id AND fact.epoch = ${e}.epoch
                        AND fact.kind <> 'model_call_lost' OFFSET 0) THEN 1
               ELSE ${e}.lost_attempts + 1 END`;
}

/**
 * The delay that an attempt leaves behind which returns to the line by itself: it grows with the attempts since the last
 * one that brought the execution further, so that one that is hit often, and gets further each time, is not put off for
 * its length. It is never none, since what the attempt failed of may still be there.
 */
export function delayAfterAttemptSql(e: string): string {
  const sinceProgress = `${e}.epoch - coalesce((
    SELECT max(fact.epoch) FROM journal_entry fact
     WHERE fact.execution_id = ${e}.id AND fact.kind <> ALL('{${GETS_NOWHERE.join(',')}}')), 0)`;
  return retryDelaySql(`greatest(1, ${sinceProgress})`, e);
}

/** Whether the attempt that is running has brought it further. */
export function hasGotFurtherSql(e: string): string {
  return `EXISTS (SELECT 1 FROM journal_entry fact
                   WHERE fact.execution_id = ${e}.id AND fact.epoch = ${e}.epoch
                     AND fact.kind <> ALL('{${GETS_NOWHERE.join(',')}}'))`;
}

/** Facts that every attempt can write, and after which the next one has as much to do as before. */
const GETS_NOWHERE = ['model_call_lost', 'model_call_interrupted', 'tool_call_not_begun'];

/** @param times the SQL of how often it has been tried in vain */
export function retryDelaySql(times: string, e: string): string {
  return `retry_delay(${times}, ${e}.id::text || ${e}.attempt)`;
}

/**
 * The first unsent executions of a tenant that are due, by when they were accepted: `id` and `created_at`. Read in two
 * parts, each from the beginning of its part of the index, so that those which wait for a better time cost nothing.
 *
 * @param tenant the SQL of the tenant
 * @param most the SQL of how many
 */
export function unsentSql(tenant: string, most: string): string {
  const part = (isDue: string): string => `
    (SELECT id, created_at FROM execution
      WHERE status = 'queued' AND head_since IS NOT NULL AND dispatched_at IS NULL AND tenant_id = ${tenant} AND ${isDue}
      ORDER BY due_at, created_at, id LIMIT ${most})`;
  return `SELECT id, created_at FROM (${part('due_at IS NULL')} UNION ALL ${part('due_at <= now()')}) unsent
    ORDER BY created_at, id LIMIT ${most}`;
}
