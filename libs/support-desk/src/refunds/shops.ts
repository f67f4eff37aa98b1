import { AppError } from '#libs/kernel';
import {
  RequestFaultError,
  type RouteDependencies,
  type SecretName,
  type TaskDependencies,
} from '#libs/tooling';
import type { EntityManager } from 'typeorm';
import { SupportShop } from '../entities/support-shop.entity.js';

/** A shop as the API shows it: never its token. */
export interface ShopView {
  readonly refunds_url: string;
  readonly has_token: boolean;
}

/** A shop as it is called. */
export interface CalledShop {
  readonly refundsUrl: string;
  readonly token: string | null;
}

const refundsTokenOf = (tenantId: string): SecretName => ({ tenantId, name: 'support-desk/refunds-token' });

/** The tenant's shop. Throws `NOT_FOUND`. */
export async function showShop(manager: EntityManager, tenantId: string): Promise<ShopView> {
  const shop = await manager.findOneBy(SupportShop, { tenantId });
  if (shop === null) throw noShop();
  return { refunds_url: shop.refundsUrl, has_token: shop.hasToken };
}

/**
 * Names the tenant's shop, as a whole: a token that is not sent along is forgotten, so that none ever goes to another
 * address than it was given for. Throws `ENCRYPTION_NOT_CONFIGURED`, and a `RequestFaultError` for an address that must not
 * be called.
 */
export async function nameShop(
  { manager, secrets, mayCall }: Pick<RouteDependencies<EntityManager>, 'manager' | 'secrets' | 'mayCall'>,
  tenantId: string,
  { refundsUrl, token }: CalledShop,
): Promise<ShopView> {
  if (!mayCall(tenantId, refundsUrl)) throw refusedAddress();
  return manager.transaction(async (transaction) => {
    const shop = { tenantId, refundsUrl, hasToken: token !== null };
    await transaction.upsert(SupportShop, shop, ['tenantId']);
    await secrets.keep(transaction, refundsTokenOf(tenantId), token);
    return showShop(transaction, tenantId);
  });
}

/**
 * Removes the tenant's shop and its token: nothing is refunded until another one is named. A refund of which nobody knows
 * whether it was paid waits for a person as before. Throws `NOT_FOUND`.
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

/** Address and token of one moment, so that no token goes to the address of another; null where there is no shop. */
export async function findShop(
  manager: EntityManager,
  secrets: TaskDependencies<EntityManager>['secrets'],
  tenantId: string,
): Promise<CalledShop | null> {
  return manager.transaction('REPEATABLE READ', async (transaction) => {
    const shop = await transaction.findOneBy(SupportShop, { tenantId });
    if (shop === null) return null;
    const token = await secrets.read(transaction, refundsTokenOf(tenantId));
    return { refundsUrl: shop.refundsUrl, token };
  });
}

function noShop(): AppError {
  return new AppError({ code: 'NOT_FOUND', kind: 'not_found', message: 'The tenant has no support shop' });
}

function refusedAddress(): RequestFaultError {
  const detail = 'must be a public http or https address without user name and password';
  return new RequestFaultError([{ path: ['refunds_url'], detail }], {
    code: 'VALIDATION_ERROR',
    kind: 'invalid_input',
  });
}
