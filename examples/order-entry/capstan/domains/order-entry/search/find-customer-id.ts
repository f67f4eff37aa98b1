import type { Database } from 'capstan/kit';
import { toSearchText } from './search-text.ts';

const SELECT_SQL = `
SELECT id FROM order_entry.customer WHERE tenant_id = $1 AND (search_name = $2 OR search_name_ja = $2) LIMIT 2`;

/**
 * Id of the tenant's customer with this name, in any spelling with the same folded text. Null without a match or with
 * several: a wrong link is worse than none.
 */
export async function findCustomerId(
  database: Database,
  tenantId: string,
  name: string | null,
): Promise<number | null> {
  const text = toSearchText(name ?? '');
  if (text === '') return null;
  const [customer, another] = await database.query<{ readonly id: number }>(SELECT_SQL, [tenantId, text]);
  return customer === undefined || another !== undefined ? null : customer.id;
}
