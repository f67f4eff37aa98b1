import { AppError } from '#libs/kernel';
import { refusedUrl, type RouteDependencies } from '#libs/tooling';
import type { EntityManager } from 'typeorm';
import { OrderingService } from '../entities/ordering-service.entity.js';
import { otherVersion } from '../order-changes/refusals.js';
import { SEND_ORDER } from '../sending/send-order-data.js';
import { orderingTokenOf } from './ordering-token.js';

/** An ordering service as the API shows it, without its token. */
export interface OrderingServiceView {
  readonly url: string;
  readonly has_token: boolean;
  readonly version: number;
  /** ISO 8601, UTC. */
  readonly updated_at: string;
}

export interface NewOrderingService {
  readonly tenantId: string;
  readonly expectedVersions: readonly number[] | null;
  readonly url: string;
  readonly token: string | null;
}

/** The tenant's ordering service. Throws `NOT_FOUND`. */
export async function showOrderingService(
  manager: EntityManager,
  tenantId: string,
): Promise<OrderingServiceView> {
  const service = await manager.findOneBy(OrderingService, { tenantId });
  if (service === null) throw noOrderingService();
  const { url, hasToken, version, updatedAt } = service;
  return { url, has_token: hasToken, version, updated_at: updatedAt.toISOString() };
}

/**
 * Replaces the tenant's ordering service. An omitted token is deleted, so that no token is ever sent to another address.
 * Throws `VERSION_CHANGED`, `ENCRYPTION_NOT_CONFIGURED`, and a `RequestFaultError` for an address that must not be called.
 */
export async function nameOrderingService(
  { manager, secrets, tasks, mayCall }: RouteDependencies<EntityManager>,
  { tenantId, expectedVersions, url, token }: NewOrderingService,
): Promise<OrderingServiceView> {
  if (!mayCall(tenantId, url)) throw refusedUrl('url');
  return manager.transaction(async (transaction) => {
    const known = await lockOrderingService(transaction, tenantId);
    if (expectedVersions !== null && !expectedVersions.includes(known?.version ?? 0)) throw otherVersion();
    await transaction.query(
      `INSERT INTO ordering_service AS known (tenant_id, url, has_token) VALUES ($1, $2, $3)
       ON CONFLICT (tenant_id) DO UPDATE
         SET url = excluded.url, has_token = excluded.has_token, version = known.version + 1, updated_at = now()`,
      [tenantId, url, token !== null],
    );
    await secrets.keep(transaction, orderingTokenOf(tenantId), token);
    if (known !== null && known.url !== url) await endWhatIsOnItsWay(tasks, transaction, tenantId);
    return showOrderingService(transaction, tenantId);
  });
}

/**
 * Deletes the tenant's ordering service and its token. Orders being sent fail with their next try, which is due at once.
 * Throws `NOT_FOUND` and `VERSION_CHANGED`.
 */
export async function removeOrderingService(
  { manager, secrets, tasks }: Pick<RouteDependencies<EntityManager>, 'manager' | 'secrets' | 'tasks'>,
  {
    tenantId,
    expectedVersions,
  }: { readonly tenantId: string; readonly expectedVersions: readonly number[] | null },
): Promise<void> {
  await manager.transaction(async (transaction) => {
    const known = await lockOrderingService(transaction, tenantId);
    if (known === null) throw noOrderingService();
    if (expectedVersions !== null && !expectedVersions.includes(known.version)) throw otherVersion();
    await transaction.delete(OrderingService, { tenantId });
    await secrets.keep(transaction, orderingTokenOf(tenantId), null);
    await endWhatIsOnItsWay(tasks, transaction, tenantId);
  });
}

function lockOrderingService(manager: EntityManager, tenantId: string): Promise<OrderingService | null> {
  return manager.findOne(OrderingService, { where: { tenantId }, lock: { mode: 'pessimistic_write' } });
}

/** Skips the backoff, of up to an hour, before tries that can only find another service, or none. */
function endWhatIsOnItsWay(
  tasks: RouteDependencies<EntityManager>['tasks'],
  manager: EntityManager,
  tenantId: string,
): Promise<void> {
  return tasks.hasten(manager, { kind: SEND_ORDER, tenantId });
}

function noOrderingService(): AppError {
  return new AppError({
    code: 'NOT_FOUND',
    kind: 'not_found',
    message: 'The tenant has no ordering service',
  });
}
