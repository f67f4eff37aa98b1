import {
  And,
  LessThan,
  MoreThanOrEqual,
  type DataSource,
  type Repository,
  type SelectQueryBuilder,
} from 'typeorm';
import { UsageLogEntity } from '../entities/usage-log.entity.js';
import { ANEW } from '../preparing-client.js';
import { whereExecutorHas } from '../rows/list-conditions.js';
import { mapRows, readPage, type RowsOfPage } from '../rows/bounded-page.js';

/** Keys that usage can be grouped by, in SQL, with their types. */
const GROUPS = {
  model: ['log.model', 'text'],
  agent: ['log.agentId', 'int'],
  day: [`to_char(log.executedAt AT TIME ZONE 'UTC', 'YYYY-MM-DD')`, 'text'],
  tenant: ['log.tenantId', 'text'],
  scope: ['log.scope', 'text'],
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
  /** Counts only calls of stored executions that name this executor. */
  readonly executorId?: string | undefined;
  /** Last key of the page before, as text. */
  readonly after?: string | undefined;
  readonly limit: number;
}

/**
 * Sums of one group. Calls with unknown tokens are in no sum of tokens; `unknown_calls` is their number.
 */
export interface UsageSum {
  /** A model, the id of an agent, a day in UTC, a tenant, or a scope, as text. */
  readonly key: string;
  readonly calls: number;
  readonly failed_calls: number;
  readonly unknown_calls: number;
  /** Calls with known tokens and an unknown price. */
  readonly unpriced_calls: number;
  /** Sums of known tokens; null if all calls are unknown. */
  readonly input_tokens: number | null;
  readonly cache_read_tokens: number | null;
  readonly cache_creation_5m_tokens: number | null;
  readonly cache_creation_1h_tokens: number | null;
  readonly output_tokens: number | null;
  readonly reasoning_tokens: number | null;
  readonly total_tokens: number | null;
  /** Exact sum of known costs, as decimal text; null if none is known. */
  readonly total_cost_usd: string | null;
}

const NONE_KNOWN = `count(log.totalTokens) = 0 AND count(*) FILTER (WHERE log.state = 'unknown') > 0`;
/** Calls that no provider has reported are not free: null if there are no others. */
const tokens = (column: string): string =>
  `CASE WHEN ${NONE_KNOWN} THEN NULL ELSE coalesce(sum(log.${column}), 0)::float8 END`;
const callsWith = (condition: string): string => `(count(*) FILTER (WHERE ${condition}))::int`;

/** SQL of each sum, by its name in the answer. */
const SUMS: Readonly<Record<Exclude<keyof UsageSum, 'key'>, string>> = {
  calls: 'count(*)::int',
  failed_calls: callsWith(`log.state = 'failed'`),
  unknown_calls: callsWith(`log.state = 'unknown'`),
  unpriced_calls: callsWith('log.totalTokens IS NOT NULL AND log.costUsd IS NULL'),
  input_tokens: tokens('inputTokens'),
  cache_read_tokens: tokens('cachedInputTokens'),
  cache_creation_5m_tokens: tokens('cacheCreation5mTokens'),
  cache_creation_1h_tokens: tokens('cacheCreation1hTokens'),
  output_tokens: tokens('outputTokens'),
  reasoning_tokens: tokens('reasoningTokens'),
  total_tokens: tokens('totalTokens'),
  total_cost_usd: `CASE WHEN bool_and(log.state = 'failed' AND log.totalTokens IS NULL) THEN '0'
                        ELSE trim_scale(sum(log.costUsd))::text END`,
};

/** Usage and cost of model calls. */
export class UsageStore {
  private readonly logs: Repository<UsageLogEntity>;

  constructor(private readonly dataSource: DataSource) {
    this.logs = dataSource.getRepository(UsageLogEntity);
  }

  /**
   * Sums by group, sorted by its key. Calls without an agent are in no group by agent.
   *
   * @param tenantId null for all tenants
   */
  async sum(tenantId: string | null, filter: UsageFilter): Promise<RowsOfPage<UsageSum>> {
    const { groupBy, after, limit } = filter;
    const [key, type] = GROUPS[groupBy];
    const sums = this.narrowed(tenantId, filter).andWhere(`${key} IS NOT NULL`).groupBy(key);
    if (after !== undefined) sums.andWhere(`${key} > :after::${type}`, { after });
    sums.select(key, 'place').addSelect(`(${key})::text`, 'key');
    for (const [name, sql] of Object.entries(SUMS)) sums.addSelect(sql, name);
    const [select, parameters] = sums.getQueryAndParameters();
    const page = { select, parameters, orderBy: 'place', limit };
    const found = await readPage<UsageSum & { readonly place: unknown }>(this.dataSource, page);
    return mapRows(found, ({ place: _place, ...sum }) => sum);
  }

  private narrowed(tenantId: string | null, filter: UsageFilter): SelectQueryBuilder<UsageLogEntity> {
    const { from, to, agentId, executionId, executorId } = filter;
    const executedAt = And(MoreThanOrEqual(from), LessThan(to));
    const logs = this.logs.createQueryBuilder('log').comment(ANEW).where({ executedAt });
    if (tenantId !== null) logs.andWhere({ tenantId });
    if (agentId !== undefined) logs.andWhere({ agentId });
    if (executionId !== undefined) logs.andWhere({ executionId });
    if (executorId !== undefined) whereExecutorHas(logs, 'log.executionId', 'id', { tenantId, executorId });
    return logs;
  }
}
