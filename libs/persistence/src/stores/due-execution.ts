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
