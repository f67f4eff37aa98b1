import type { UsageRecord } from '#libs/agent-core';

/** A record as {@link insertUsageSql} reads it out of JSON. */
export function toUsageRow(record: UsageRecord): object {
  const { tryNumber, agentId, responseId, tokens, costUsd, ...rest } = record;
  const names = { try_number: tryNumber, agent_id: agentId, response_id: responseId, cost_usd: costUsd };
  return { ...rest, ...tokens, ...names };
}

/** The SQL expressions of whose usage it is, and of the JSON array of rows. */
interface UsageSource {
  readonly execution: string;
  readonly tenant: string;
  /** Of rows that name no agent. */
  readonly agent: string;
  readonly session: string;
  readonly rows: string;
}

export function insertUsageSql({ execution, tenant, agent, session, rows }: UsageSource): string {
  return `INSERT INTO usage_log (execution_id, tenant_id, agent_id, session_id, scope, purpose, round, try_number, state, model,
                           response_id, input_tokens, cached_input_tokens, cache_creation_5m_tokens, cache_creation_1h_tokens,
                           output_tokens, reasoning_tokens, total_tokens, cost_usd)
    SELECT ${execution}, ${tenant}, coalesce(spent.agent_id, ${agent}), ${session}, scope, purpose, round, try_number, state, model,
           response_id, input_tokens, cached_input_tokens,
           CASE WHEN input_tokens IS NOT NULL THEN coalesce(cache_creation_5m_tokens, 0) END,
           CASE WHEN input_tokens IS NOT NULL THEN coalesce(cache_creation_1h_tokens, 0) END,
           output_tokens, reasoning_tokens, total_tokens, cost_usd
      FROM jsonb_to_recordset(${rows}::jsonb) AS spent (scope text, purpose text, round int, try_number int, state text,
           agent_id int, model text, response_id text, input_tokens bigint, cached_input_tokens bigint,
           cache_creation_5m_tokens bigint, cache_creation_1h_tokens bigint, output_tokens bigint, reasoning_tokens bigint,
           total_tokens bigint, cost_usd numeric)
    ON CONFLICT DO NOTHING`;
}
