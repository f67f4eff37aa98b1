import type { EntityManager } from 'typeorm';
import { queryRows } from '../sql.js';

/**
 * How many rows a tenant has in a table. Until the transaction ends nobody else counts them: who makes one only after
 * counting never goes over a limit, however many try at the same time.
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
