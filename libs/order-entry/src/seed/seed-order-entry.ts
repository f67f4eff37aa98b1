import type { EntityManager, EntityTarget, ObjectLiteral, QueryDeepPartialEntity } from 'typeorm';
import { CatalogueItem } from '../entities/catalogue-item.entity.js';
import { Customer } from '../entities/customer.entity.js';
import { ItemAlias } from '../entities/item-alias.entity.js';
import { toSearchCode, toSearchText } from '../search/search-text.js';
import { catalogueSeed, customerSeed } from './order-entry-seed.js';
import type { CustomerSeed, ItemSeed } from './order-entry-seed.js';

/**
 * Inserts the example catalogue, aliases and customers for a tenant. Existing rows stay unchanged, so repeated and
 * concurrent runs are safe.
 */
export async function seedOrderEntry(manager: EntityManager, tenantId: string): Promise<void> {
  const customers = customerSeed.map((customer) => customerRow(tenantId, customer));
  const items = catalogueSeed.map((item) => itemRow(tenantId, item));
  await insertMissing(manager, Customer, customers);
  await insertMissing(manager, CatalogueItem, items);
  const stored = await manager.find(CatalogueItem, {
    where: { tenantId },
    select: { id: true, itemNum: true },
  });
  const idOf = new Map(stored.map((item) => [item.itemNum, item.id]));
  await insertMissing(
    manager,
    ItemAlias,
    catalogueSeed.flatMap((item) => aliasRows(tenantId, item, idOf.get(item.itemNum))),
  );
}

async function insertMissing<Row extends ObjectLiteral>(
  manager: EntityManager,
  target: EntityTarget<Row>,
  rows: QueryDeepPartialEntity<Row>[],
): Promise<void> {
  await manager
    .createQueryBuilder()
    .insert()
    .into(target)
    .values(rows)
    .orIgnore()
    .updateEntity(false)
    .execute();
}

function customerRow(tenantId: string, { accountNumber, name, nameJa, email }: CustomerSeed) {
  const searchable = { searchName: toSearchText(name), searchNameJa: toSearchText(nameJa) };
  return { tenantId, accountNumber, name, nameJa, email, ...searchable };
}

function itemRow(tenantId: string, { itemNum, name, nameJa, packSize, uom }: ItemSeed) {
  return {
    tenantId,
    itemNum,
    name,
    nameJa,
    packSize,
    uom,
    searchCode: toSearchCode(itemNum),
    searchName: toSearchText(name),
    searchNameJa: toSearchText(nameJa),
    searchPack: toSearchText(packSize),
  };
}

function aliasRows(tenantId: string, item: ItemSeed, itemId: number | undefined) {
  if (itemId === undefined) return [];
  return item.aliases.map((alias) => ({ tenantId, itemId, alias, searchAlias: toSearchText(alias) }));
}
