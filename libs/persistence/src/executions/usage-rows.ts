import type { UsageRecord } from '#libs/agent-core';
import type { EmbeddingUsage } from '#libs/knowledge';

/** A record in the JSON form that {@link insertUsageSql} reads. */
export function toUsageRow(record: UsageRecord): object {
  const { tryNumber, agentId, responseId, tokens, costUsd, ...rest } = record;
  const names = { try_number: tryNumber, agent_id: agentId, response_id: responseId, cost_usd: costUsd };
  // Reported tokens without cache writes mean that none were written.
  const caches = tokens && { cache_creation_5m_tokens: 0, cache_creation_1h_tokens: 0 };
  return { ...rest, ...caches, ...tokens, ...names };
}

/** Usage of an embedding call; `round` is the call number. */
export function embeddingRecord({ call, state, model, inputTokens, costUsd }: EmbeddingUsage): UsageRecord {
  const tokens =
    inputTokens === null
      ? null
      : {
          ...{ input_tokens: inputTokens, cached_input_tokens: 0, output_tokens: 0 },
          ...{ reasoning_tokens: 0, total_tokens: inputTokens },
        };
  const place = { scope: '', purpose: 'embedding', round: call, tryNumber: 1, agentId: null } as const;
  return { ...place, state, model, responseId: null, tokens, costUsd };
}

/** SQL expressions of the owner of usage and of the JSON array of its rows. */
interface UsageSource {
  /**
   * Part of the statement with a row per execution, if there are several; the other expressions may refer to its columns.
   */
  readonly of?: string;
  readonly execution: string;
  readonly tenant: string;
  /** Agent of rows without one. */
  readonly agent: string;
  readonly session: string;
  readonly rows: string;
}

const COLUMNS = {
  scope: 'text',
  purpose: 'text',
  round: 'int',
  try_number: 'int',
  state: 'text',
  model: 'text',
  response_id: 'text',
  input_tokens: 'bigint',
  cached_input_tokens: 'bigint',
  cache_creation_5m_tokens: 'bigint',
  cache_creation_1h_tokens: 'bigint',
  output_tokens: 'bigint',
  reasoning_tokens: 'bigint',
  total_tokens: 'bigint',
  cost_usd: 'numeric',
};

const KEY = ['scope', 'purpose', 'round', 'try_number'] as const;

/**
 * Completes the row of a call recorded before it was made; known values are kept.
 * @param execution SQL expression of the call's execution
 * @param row SQL expression of its row as JSON; null changes no row
 */
export function updateUsageSql({
  execution,
  row,
}: {
  readonly execution: string;
  readonly row: string;
}): string {
  const types = Object.entries(COLUMNS).map(([name, type]) => `${name} ${type}`);
  const learned = Object.keys(COLUMNS).filter((name) => !KEY.some((key) => key === name));
  return `UPDATE usage_log SET ${learned.map((name) => `${name} = spent.${name}`).join(', ')}
      FROM jsonb_to_record(coalesce(${row}::jsonb, '{}')) AS spent (${types.join(', ')})
     WHERE usage_log.execution_id = ${execution} AND usage_log.state = 'unknown'
       AND ${KEY.map((name) => `usage_log.${name} = spent.${name}`).join(' AND ')}`;
}

/** A call that already has a row keeps it. */
export function insertUsageSql({ of, execution, tenant, agent, session, rows }: UsageSource): string {
  const names = Object.keys(COLUMNS);
  const types = Object.entries(COLUMNS).map(([name, type]) => `${name} ${type}`);
  return `INSERT INTO usage_log (execution_id, tenant_id, agent_id, session_id, ${names.join(', ')})
    SELECT ${execution}, ${tenant}, coalesce(spent.agent_id, ${agent}), ${session}, ${names.map((name) => `spent.${name}`).join(', ')}
      FROM ${of === undefined ? '' : `${of}, `}jsonb_to_recordset(${rows}::jsonb) AS spent (agent_id int, ${types.join(', ')})
    ON CONFLICT DO NOTHING`;
}
