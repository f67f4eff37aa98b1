import type { Database } from 'capstan/kit';
import { toStorableText } from '../texts.ts';

const SELECT_SQL = `
SELECT item_num FROM order_entry.catalogue_item WHERE tenant_id = $1 AND item_num = ANY ($2::text[])`;

/** The item numbers of these lines that exist in the catalogue. */
export async function readKnownItems(
  database: Database,
  tenantId: string,
  lines: readonly { readonly item_num: string }[],
): Promise<ReadonlySet<string>> {
  const wanted = [...new Set(lines.map((line) => toStorableText(line.item_num)))];
  const known = await database.query<{ readonly item_num: string }>(SELECT_SQL, [tenantId, wanted]);
  return new Set(known.map((item) => item.item_num));
}
