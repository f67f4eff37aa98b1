import type { TenantBacklog } from '#libs/executions';
import type { DataSource } from 'typeorm';
import { queryRows } from '../sql.js';

interface Row {
  readonly tenant_id: string;
  readonly queued: number;
  readonly wait_ms: number;
}

/** Queued executions by tenant. The cost grows with the backlog, so it must not run for every request. */
export class BacklogStore {
  constructor(private readonly dataSource: DataSource) {}

  async measure(): Promise<ReadonlyMap<string, TenantBacklog>> {
    const rows = await queryRows<Row>(this.dataSource, MEASURE_SQL);
    return new Map(rows.map((row) => [row.tenant_id, { queued: row.queued, waitMs: row.wait_ms }]));
  }
}

// The first condition selects the partial index.
const MEASURE_SQL = `
  SELECT tenant_id, count(*)::int AS queued,
         coalesce(max(extract(epoch FROM now() - head_since) * 1000)
                    FILTER (WHERE dispatched_at IS NULL AND attempt = 0), 0)::float8 AS wait_ms
    FROM execution WHERE status IN ('queued', 'running', 'requires_action') AND status = 'queued'
   GROUP BY tenant_id`;
