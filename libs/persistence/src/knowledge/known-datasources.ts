import type { DataSource } from 'typeorm';
import { queryRows } from '../sql.js';

/** Looks up datasources of a tenant. */
export class KnownDatasources {
  constructor(private readonly dataSource: Pick<DataSource, 'query'>) {}

  /** Answers the `ids` that the tenant has. No ids: no statement. */
  async find(tenantId: string, ids: readonly number[]): Promise<ReadonlySet<number>> {
    if (ids.length === 0) return new Set();
    const rows = await queryRows<{ id: number }>(
      this.dataSource,
      'SELECT id FROM datasource WHERE tenant_id = $1 AND id = ANY($2::int[])',
      [tenantId, ids],
    );
    return new Set(rows.map(({ id }) => id));
  }
}
