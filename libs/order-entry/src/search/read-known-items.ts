import { toStorableText } from '#libs/kernel';
import { In, type EntityManager } from 'typeorm';
import { CatalogueItem } from '../entities/catalogue-item.entity.js';

/** The item numbers of these lines that exist in the catalogue. */
export async function readKnownItems(
  manager: EntityManager,
  tenantId: string,
  lines: readonly { readonly item_num: string }[],
): Promise<ReadonlySet<string>> {
  const itemNum = In([...new Set(lines.map((line) => toStorableText(line.item_num)))]);
  const known = await manager.find(CatalogueItem, {
    where: { tenantId, itemNum },
    select: { itemNum: true },
  });
  return new Set(known.map((item) => item.itemNum));
}
