import type { DataSource } from 'typeorm';

/** Usage row of one model call, as a settlement stores it. */
export interface UsageRow {
  readonly tenant?: string;
  readonly scope?: string;
  readonly agent?: number;
  readonly model?: string;
  readonly state?: string;
  readonly tokens?: number | null;
  readonly cost?: string | null;
  readonly at?: string;
}

let calls = 0;
/** Stores the usage of one call; each call of a process has a round of its own. */
export async function storeUsage(dataSource: DataSource, executionId: string, row: UsageRow): Promise<void> {
  const { tenant = 'default', scope = '', agent = 1, model = 'm', state = 'known', tokens = 10 } = row;
  const { cost = null, at = '2026-03-01T12:00:00Z' } = row;
  calls += 1;
  await dataSource.query(
    `INSERT INTO usage_log (execution_id, scope, purpose, round, try_number, state, tenant_id, agent_id, session_id, model,
       input_tokens, cached_input_tokens, cache_creation_5m_tokens, cache_creation_1h_tokens, output_tokens, reasoning_tokens,
       total_tokens, cost_usd, executed_at)
     VALUES ($1, $2, 'round', $3, 1, $4, $5, $6, gen_random_uuid(), $7,
       $8::bigint - 1, $9, $9, $9, $10, $11, $8, $12::numeric, $13)`,
    [
      executionId,
      scope,
      calls,
      state,
      tenant,
      agent,
      model,
      tokens,
      ...(tokens === null ? [null, null, null] : [2, 1, 0]),
      cost,
      at,
    ],
  );
}
