import type { EntityManager } from 'typeorm';
import { queryRows } from '../sql.js';

/**
 * Counts a tenant's rows in a table under a lock until the end of the transaction, so that concurrent inserts after a
 * count cannot exceed a limit.
 */
export async function countUnderLock(
  manager: EntityManager,
  table: 'skill' | 'tool_server' | 'webhook_endpoint',
  tenantId: string,
): Promise<number> {
  const lock = `SELECT pg_advisory_xact_lock(hashtext('${table}'), hashtext($1))::text`;
  await queryRows(manager, lock, [tenantId]);
  const count = `SELECT count(*)::int AS count FROM ${table} WHERE tenant_id = $1`;
  const [counted] = await queryRows<{ count: number }>(manager, count, [tenantId]);
  return counted?.count ?? 0;
}
