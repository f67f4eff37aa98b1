import { AppError } from '#libs/kernel';
import {
  findCalledService,
  refusedUrl,
  type CalledService,
  type RouteDependencies,
  type SecretName,
  type TaskDependencies,
} from '#libs/tooling';
import type { EntityManager } from 'typeorm';
import { SupportShop } from '../entities/support-shop.entity.js';

/** A shop as the API shows it, without its token. */
export interface ShopView {
  readonly refunds_url: string;
  readonly has_token: boolean;
}

const refundsTokenOf = (tenantId: string): SecretName => ({ tenantId, name: 'support-desk/refunds-token' });

/** The tenant's shop. Throws `NOT_FOUND`. */
export async function showShop(manager: EntityManager, tenantId: string): Promise<ShopView> {
  const shop = await manager.findOneBy(SupportShop, { tenantId });
  if (shop === null) throw noShop();
  return { refunds_url: shop.refundsUrl, has_token: shop.hasToken };
}

/**
 * Replaces the tenant's shop. An omitted token is deleted, so that no token is ever sent to another address. Throws
 * `ENCRYPTION_NOT_CONFIGURED`, and a `RequestFaultError` for an address that must not be called.
 */
export async function nameShop(
  { manager, secrets, mayCall }: Pick<RouteDependencies<EntityManager>, 'manager' | 'secrets' | 'mayCall'>,
  tenantId: string,
  { url: refundsUrl, token }: CalledService,
): Promise<ShopView> {
  if (!mayCall(tenantId, refundsUrl)) throw refusedUrl('refunds_url');
  return manager.transaction(async (transaction) => {
    const shop = { tenantId, refundsUrl, hasToken: token !== null };
    await transaction.upsert(SupportShop, shop, ['tenantId']);
    await secrets.keep(transaction, refundsTokenOf(tenantId), token);
    return showShop(transaction, tenantId);
  });
}

/**
 * Deletes the tenant's shop and its token; refunds are refused until a new shop is set. Refunds with an unknown outcome
 * still wait for a person. Throws `NOT_FOUND`.
 */
export async function removeShop(
  { manager, secrets }: Pick<RouteDependencies<EntityManager>, 'manager' | 'secrets'>,
  tenantId: string,
): Promise<void> {
  await manager.transaction(async (transaction) => {
    const { affected } = await transaction.delete(SupportShop, { tenantId });
    if (affected !== 1) throw noShop();
    await secrets.keep(transaction, refundsTokenOf(tenantId), null);
  });
}

/** The shop with its token, to be called; null if there is none. Throws `SECRET_UNREADABLE`. */
export function findShop(
  manager: EntityManager,
  secrets: TaskDependencies<EntityManager>['secrets'],
  tenantId: string,
): Promise<CalledService | null> {
  return findCalledService({ manager, secrets }, refundsTokenOf(tenantId), async (transaction) => {
    const shop = await transaction.findOneBy(SupportShop, { tenantId });
    return shop?.refundsUrl ?? null;
  });
}

function noShop(): AppError {
  return new AppError({ code: 'NOT_FOUND', kind: 'not_found', message: 'The tenant has no support shop' });
}
