import type { Database } from 'capstan/kit';
import { toSearchCode, toSearchText } from '../search/search-text.ts';
import { catalogueSeed, customerSeed } from './order-entry-seed.ts';
import type { CustomerSeed, ItemSeed } from './order-entry-seed.ts';

const CUSTOMERS_SQL = `
INSERT INTO order_entry.customer (tenant_id, account_number, name, name_ja, email, search_name, search_name_ja)
SELECT $1, account_number, name, name_ja, email, search_name, search_name_ja
FROM jsonb_to_recordset($2::jsonb) AS given(account_number int, name text, name_ja text, email text, search_name text, search_name_ja text)
ON CONFLICT DO NOTHING`;
const ITEMS_SQL = `
INSERT INTO order_entry.catalogue_item
  (tenant_id, item_num, name, name_ja, pack_size, uom, search_code, search_name, search_name_ja, search_pack)
SELECT $1, item_num, name, name_ja, pack_size, uom, search_code, search_name, search_name_ja, search_pack
FROM jsonb_to_recordset($2::jsonb) AS given(item_num text, name text, name_ja text, pack_size text, uom text,
  search_code text, search_name text, search_name_ja text, search_pack text)
ON CONFLICT DO NOTHING`;
const ALIASES_SQL = `
INSERT INTO order_entry.item_alias (tenant_id, item_id, alias, search_alias)
SELECT $1, item.id, alias, search_alias
FROM jsonb_to_recordset($2::jsonb) AS given(item_num text, alias text, search_alias text)
JOIN order_entry.catalogue_item item ON item.tenant_id = $1 AND item.item_num = given.item_num
ON CONFLICT DO NOTHING`;

/**
 * Inserts the example catalogue, aliases and customers for a tenant. Existing rows stay unchanged, so repeated and
 * concurrent runs are safe.
 */
export async function seedOrderEntry(database: Database, tenantId: string): Promise<void> {
  const insert = (sql: string, rows: readonly object[]): Promise<unknown> =>
    database.query(sql, [tenantId, JSON.stringify(rows)]);
  await insert(CUSTOMERS_SQL, customerSeed.map(customerRow));
  await insert(ITEMS_SQL, catalogueSeed.map(itemRow));
  await insert(ALIASES_SQL, catalogueSeed.flatMap(aliasRows));
}

function customerRow({ accountNumber, name, nameJa, email }: CustomerSeed): object {
  const searchable = { search_name: toSearchText(name), search_name_ja: toSearchText(nameJa) };
  return { account_number: accountNumber, name, name_ja: nameJa, email, ...searchable };
}

function itemRow({ itemNum, name, nameJa, packSize, uom }: ItemSeed): object {
  return {
    item_num: itemNum,
    name,
    name_ja: nameJa,
    pack_size: packSize,
    uom,
    search_code: toSearchCode(itemNum),
    search_name: toSearchText(name),
    search_name_ja: toSearchText(nameJa),
    search_pack: toSearchText(packSize),
  };
}

function aliasRows({ itemNum, aliases }: ItemSeed): object[] {
  return aliases.map((alias) => ({ item_num: itemNum, alias, search_alias: toSearchText(alias) }));
}
