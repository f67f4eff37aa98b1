import { findCalledService, type CalledService, type TaskDependencies } from '#libs/tooling';
import type { EntityManager } from 'typeorm';
import { OrderingService } from '../entities/ordering-service.entity.js';
import { orderingTokenOf } from './ordering-token.js';

/** URL and token of the tenant's ordering service; null without one. Throws `SECRET_UNREADABLE`. */
export function findOrderingService(
  dependencies: Pick<TaskDependencies<EntityManager>, 'manager' | 'secrets'>,
  tenantId: string,
): Promise<CalledService | null> {
  return findCalledService(dependencies, orderingTokenOf(tenantId), async (transaction) => {
    const service = await transaction.findOneBy(OrderingService, { tenantId });
    return service?.url ?? null;
  });
}
