/**
 * Which executions are due, for dispatch and claim alike; `e` names the table. Between two losses in a row lies a delay that
 * grows, so that what kills workers does not kill one after the other as fast as they start; after the first there is none.
 */
export function isDueSql(e: string): string {
  return `(${e}.due_at IS NULL OR ${e}.due_at <= now())`;
}

/** Its worker is gone, or counts as gone, and the delay after that is over. */
export function isLostSql(e: string): string {
  return `(${e}.status = 'running' AND ${isDueSql(e)}
           AND ${e}.lease_expires_at < now() - ${retryDelaySql(e)})`;
}

/** How long after the end of its lease somebody else goes on with it. */
export function retryDelaySql(e: string): string {
  return `retry_delay(${e}.lost_attempts, ${e}.id::text || ${e}.attempt)`;
}
