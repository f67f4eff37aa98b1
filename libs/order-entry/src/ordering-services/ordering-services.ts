import { AppError } from '#libs/kernel';
import { RequestFaultError, type RouteDependencies } from '#libs/tooling';
import type { EntityManager } from 'typeorm';
import { OrderingService } from '../entities/ordering-service.entity.js';
import { otherVersion } from '../order-changes/refusals.js';
import { orderingTokenOf } from './ordering-token.js';

/** An ordering service as the API shows it: never its token. */
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
  if (service === null)
    throw new AppError({
      code: 'NOT_FOUND',
      kind: 'not_found',
      message: 'The tenant has no ordering service',
    });
  const { url, hasToken, version, updatedAt } = service;
  return { url, has_token: hasToken, version, updated_at: updatedAt.toISOString() };
}

/**
 * Names the tenant's ordering service, as a whole: a token that is not sent along is forgotten, so that none ever goes to
 * another address than it was given for. Throws `VERSION_CHANGED`, `ENCRYPTION_NOT_CONFIGURED`, and a `RequestFaultError`
 * for an address that must not be called.
 */
export async function nameOrderingService(
  { manager, secrets, mayCall }: Pick<RouteDependencies<EntityManager>, 'manager' | 'secrets' | 'mayCall'>,
  { tenantId, expectedVersions, url, token }: NewOrderingService,
): Promise<OrderingServiceView> {
  if (!mayCall(tenantId, url)) throw refusedAddress();
  return manager.transaction(async (transaction) => {
    const known = await transaction.findOne(OrderingService, {
      where: { tenantId },
      lock: { mode: 'pessimistic_write' },
    });
    if (expectedVersions !== null && !expectedVersions.includes(known?.version ?? 0)) throw otherVersion();
    await transaction.query(
      `INSERT INTO ordering_service AS known (tenant_id, url, has_token) VALUES ($1, $2, $3)
       ON CONFLICT (tenant_id) DO UPDATE
         SET url = excluded.url, has_token = excluded.has_token, version = known.version + 1, updated_at = now()`,
      [tenantId, url, token !== null],
    );
    await secrets.keep(transaction, orderingTokenOf(tenantId), token);
    return showOrderingService(transaction, tenantId);
  });
}

function refusedAddress(): RequestFaultError {
  const detail = 'must be a public http or https address without user name and password';
  return new RequestFaultError([{ path: ['url'], detail }], {
    code: 'VALIDATION_ERROR',
    kind: 'invalid_input',
  });
}
