import { In, type EntityManager } from 'typeorm';
import { CatalogueItem } from '../entities/catalogue-item.entity.js';
import type { OrderEntryPayload } from '../order-draft/order-entry-payload.js';

/** Which of the item numbers the catalogue has. */
export async function readKnownItems(
  manager: EntityManager,
  tenantId: string,
  { items }: Pick<OrderEntryPayload, 'items'>,
): Promise<ReadonlySet<string>> {
  const itemNum = In([...new Set(items.map(({ item_num }) => item_num))]);
  const known = await manager.find(CatalogueItem, {
    where: { tenantId, itemNum },
    select: { itemNum: true },
  });
  return new Set(known.map((item) => item.itemNum));
}
