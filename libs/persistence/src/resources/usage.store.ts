import type { DataSource } from 'typeorm';
import { executorSql } from '../rows/list-conditions.js';
import { mapRows, readPage, type RowsOfPage } from '../rows/bounded-page.js';

/** What usage can be summed by, in SQL, with the type of the key. */
const GROUPS = {
  model: ['model', 'text'],
  agent: ['agent_id', 'int'],
  day: [`to_char(executed_at AT TIME ZONE 'UTC', 'YYYY-MM-DD')`, 'text'],
  tenant: ['tenant_id', 'text'],
  scope: ['scope', 'text'],
} as const;
export type UsageGroup = keyof typeof GROUPS;
export const USAGE_GROUPS = Object.keys(GROUPS) as UsageGroup[];

export interface UsageFilter {
  readonly groupBy: UsageGroup;
  /** Inclusive. */
  readonly from: Date;
  /** Exclusive. */
  readonly to: Date;
  readonly agentId?: number | undefined;
  readonly executionId?: string | undefined;
  /** Only calls of executions that name this executor, and are kept. */
  readonly executorId?: string | undefined;
  /** The key after which the page begins, as text. */
  readonly after?: string | undefined;
  readonly limit: number;
}

/**
 * The sums of one group. Tokens of calls of which nobody knows them are in no sum; `unknown_calls` says how many those
 * are.
 */
export interface UsageSum {
  /** A model, the id of an agent, a day in UTC, a tenant, or a scope, as text. */
  readonly key: string;
  readonly calls: number;
  readonly failed_calls: number;
  readonly unknown_calls: number;
  /** Whose tokens are known and whose price is not. */
  readonly unpriced_calls: number;
  /** Tokens are sums of what is known; null where calls are unknown and nothing is. */
  readonly input_tokens: number | null;
  readonly cache_read_tokens: number | null;
  readonly cache_creation_5m_tokens: number | null;
  readonly cache_creation_1h_tokens: number | null;
  readonly output_tokens: number | null;
  readonly reasoning_tokens: number | null;
  readonly total_tokens: number | null;
  /** What is known of it, exactly, as decimal text; null where nothing is. */
  readonly total_cost_usd: string | null;
}

const NONE_KNOWN = `count(total_tokens) = 0 AND count(*) FILTER (WHERE state = 'unknown') > 0`;
const SUMMED = [
  'input_tokens',
  'cached_input_tokens AS cache_read_tokens',
  'cache_creation_5m_tokens',
  'cache_creation_1h_tokens',
  'output_tokens',
  'reasoning_tokens',
  'total_tokens',
].map((column) => {
  const [name = '', alias = name] = column.split(' AS ');
  // Calls that no provider has said anything of are not free: null where nothing else is there.
  return `CASE WHEN ${NONE_KNOWN} THEN NULL ELSE coalesce(sum(${name}), 0)::float8 END AS ${alias}`;
});

/** What models were asked for and what it has cost. */
export class UsageStore {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * Sums by group in the order of its key; what no agent has asked for is in no group of an agent.
   *
   * @param tenantId null: of every tenant
   */
  async sum(tenantId: string | null, filter: UsageFilter): Promise<RowsOfPage<UsageSum>> {
    const { groupBy, from, to, after = null, limit } = filter;
    const { agentId = null, executionId = null, executorId = null } = filter;
    const [key, type] = GROUPS[groupBy];
    const page = await readPage<UsageSum & { readonly place: unknown }>(this.dataSource, {
      select: `SELECT ${key} AS place, (${key})::text AS key, count(*)::int AS calls,
             (count(*) FILTER (WHERE state = 'failed'))::int AS failed_calls,
             (count(*) FILTER (WHERE state = 'unknown'))::int AS unknown_calls,
             (count(*) FILTER (WHERE total_tokens IS NOT NULL AND cost_usd IS NULL))::int AS unpriced_calls,
             ${SUMMED.join(', ')},
             CASE WHEN bool_and(state = 'failed' AND total_tokens IS NULL) THEN '0'
                  ELSE trim_scale(sum(cost_usd))::text END AS total_cost_usd
        FROM usage_log
       WHERE ($1::text IS NULL OR tenant_id = $1) AND executed_at >= $2 AND executed_at < $3
         AND ($4::int IS NULL OR agent_id = $4) AND ($5::uuid IS NULL OR execution_id = $5)
         AND ($7::text IS NULL OR execution_id = ANY(ARRAY(
               SELECT e.id FROM execution e WHERE ($1::text IS NULL OR e.tenant_id = $1) AND ${executorSql('e')} = $7)))
         AND ${key} IS NOT NULL AND ($6::text IS NULL OR ${key} > $6::${type})
       GROUP BY ${key}`,
      parameters: [tenantId, from.toISOString(), to.toISOString(), agentId, executionId, after, executorId],
      orderBy: 'place',
      limit,
    });
    return mapRows(page, ({ place: _place, ...sum }) => sum);
  }
}
