import type { EntityManager } from 'typeorm';
import { Customer } from '../entities/customer.entity.js';
import { toSearchText } from './search-text.js';

/**
 * Id of the tenant's customer with this name, in any spelling with the same folded text. Null without a match or with
 * several: a wrong link is worse than none.
 */
export async function findCustomerId(
  manager: EntityManager,
  tenantId: string,
  name: string | null,
): Promise<number | null> {
  const text = toSearchText(name ?? '');
  if (text === '') return null;
  const [customer, another] = await manager.find(Customer, {
    where: [
      { tenantId, searchName: text },
      { tenantId, searchNameJa: text },
    ],
    select: { id: true },
    take: 2,
  });
  return customer === undefined || another !== undefined ? null : customer.id;
}
