import type { DataSource, EntityManager } from 'typeorm';
import { queryRows, type Queryable } from '../sql.js';
import { resealRows, type Reseal, type SealedText } from './reseal-rows.js';

/** Whose secret it is, and what it is called. */
export interface DomainSecretOwner {
  readonly tenantId: string;
  readonly name: string;
}

/** Secrets of tenants that domains keep. */
export class DomainSecretStore {
  constructor(private readonly dataSource: DataSource) {}

  /** In the transaction of `manager`; null removes it. */
  async keep(
    manager: EntityManager,
    { tenantId, name }: DomainSecretOwner,
    sealed: string | null,
  ): Promise<void> {
    if (sealed === null) {
      await queryRows(manager, `DELETE FROM domain_secret WHERE tenant_id = $1 AND name = $2`, [
        tenantId,
        name,
      ]);
      return;
    }
    await queryRows(
      manager,
      `INSERT INTO domain_secret (tenant_id, name, sealed) VALUES ($1, $2, $3)
       ON CONFLICT (tenant_id, name) DO UPDATE SET sealed = excluded.sealed`,
      [tenantId, name, sealed],
    );
  }

  /** As it is sealed; null where there is none. */
  async read(manager: Queryable, { tenantId, name }: DomainSecretOwner): Promise<string | null> {
    const sql = `SELECT sealed FROM domain_secret WHERE tenant_id = $1 AND name = $2`;
    const [row] = await queryRows<{ sealed: string }>(manager, sql, [tenantId, name]);
    return row?.sealed ?? null;
  }

  /** Seals everything anew that `reseal` answers a new text for. Answers how many. */
  async resealAll(reseal: Reseal<DomainSecretOwner>): Promise<number> {
    const rows = await queryRows<SealedText<DomainSecretOwner>>(
      this.dataSource,
      `SELECT sealed, jsonb_build_object('tenantId', tenant_id, 'name', name) AS owner
         FROM domain_secret ORDER BY tenant_id, name`,
    );
    const replace = `UPDATE domain_secret SET sealed = $2 WHERE sealed = $1 AND tenant_id = $3 AND name = $4 RETURNING 1`;
    return resealRows(this.dataSource, rows, reseal, replace, ({ tenantId, name }) => [tenantId, name]);
  }
}
