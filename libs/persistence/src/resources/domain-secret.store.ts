import type { DataSource, EntityManager } from 'typeorm';
import { DomainSecretEntity } from '../entities/domain-secret.entity.js';
import { resealColumn, type Reseal } from '../rows/reseal-rows.js';

/** Tenant and name of a secret. */
export interface DomainSecretOwner {
  readonly tenantId: string;
  readonly name: string;
}

/** Sealed secrets of tenants that domains store. */
export class DomainSecretStore {
  constructor(private readonly dataSource: DataSource) {}

  /** Writes a secret in the transaction of `manager`; null removes it. */
  async keep(
    manager: EntityManager,
    { tenantId, name }: DomainSecretOwner,
    sealed: string | null,
  ): Promise<void> {
    const secrets = manager.getRepository(DomainSecretEntity);
    if (sealed === null) await secrets.delete({ tenantId, name });
    else await secrets.upsert({ tenantId, name, sealed }, ['tenantId', 'name']);
  }

  /** Sealed text; null if there is none. */
  async read(
    manager: Pick<EntityManager, 'getRepository'>,
    { tenantId, name }: DomainSecretOwner,
  ): Promise<string | null> {
    const secret = await manager.getRepository(DomainSecretEntity).findOneBy({ tenantId, name });
    return secret?.sealed ?? null;
  }

  /** Replaces each secret that `reseal` returns a new text for. Returns their number. */
  async resealAll(reseal: Reseal<DomainSecretOwner>): Promise<number> {
    const owner = { tenantId: 'tenant_id', name: 'name' };
    const secrets = { table: 'domain_secret', column: 'sealed', owner, key: ['tenantId', 'name'] } as const;
    return resealColumn<DomainSecretOwner>(this.dataSource, secrets, reseal);
  }
}
