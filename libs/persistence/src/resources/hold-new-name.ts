import type { EntityManager } from 'typeorm';
import { queryRows } from '../sql.js';

/**
 * True where no row of the tenant has this name, which no other holder takes until the end of the transaction. Names of
 * these tables are not unique otherwise.
 */
export async function holdNewName(
  manager: EntityManager,
  table: 'agent' | 'llm',
  tenantId: string,
  name: string,
): Promise<boolean> {
  const lock = `SELECT pg_advisory_xact_lock(hashtext('${table}_name'), hashtext($1 || '/' || $2))::text`;
  await queryRows(manager, lock, [tenantId, name]);
  const find = `SELECT 1 FROM ${table} WHERE tenant_id = $1 AND name = $2 LIMIT 1`;
  return (await queryRows(manager, find, [tenantId, name])).length === 0;
}

/** The only row of a name; `ambiguous` where there are several. */
export type Named<Row> = Row | 'ambiguous' | null;
