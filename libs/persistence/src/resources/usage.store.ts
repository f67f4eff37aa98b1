import {
  And,
  LessThan,
  MoreThanOrEqual,
  type DataSource,
  type Repository,
  type SelectQueryBuilder,
} from 'typeorm';
import { ExecutionEntity } from '../entities/execution.entity.js';
import { UsageLogEntity } from '../entities/usage-log.entity.js';
import { ANEW } from '../plan-settings.js';
import { bindTo, executorSql, metadataHas, whereExecutorHas } from '../rows/list-conditions.js';
import { mapRows, readPage, type RowsOfPage } from '../rows/bounded-page.js';

/** Keys that usage can be grouped by, in SQL. */
const KEYS = {
  model: 'log.model',
  agent: 'log.agentId',
  tenant: 'log.tenantId',
  scope: 'log.scope',
  executor: executorSql('execution'),
};
/** Times that usage can be grouped by, in SQL; all in UTC. */
const TIMES = {
  day: `to_char(log.executedAt AT TIME ZONE 'UTC', 'YYYY-MM-DD')`,
  hour: `to_char(date_trunc('hour', log.executedAt AT TIME ZONE 'UTC'), 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`,
};
type UsageKey = keyof typeof KEYS;
type UsageTime = keyof typeof TIMES;
/** Metadata of the execution, by the key behind the point. */
type UsageMetadata = `${typeof METADATA}${string}`;
/** A key, a time, or both: the time first. */
export type UsageGroup = UsageTime | `${`${UsageTime},` | ''}${UsageKey | UsageMetadata}`;

const METADATA = 'metadata.';
const METADATA_SQL = 'execution.metadata ->> :metadataKey::text';

const USAGE_KEYS = Object.keys(KEYS) as UsageKey[];
const USAGE_TIMES = Object.keys(TIMES) as UsageTime[];
/** All groups but those by metadata. */
export const USAGE_GROUPS = [
  ...USAGE_KEYS,
  ...USAGE_TIMES,
  ...USAGE_TIMES.flatMap((time) => USAGE_KEYS.map((key) => `${time},${key}` as const)),
] as const;

/** A group of usage as its time and key; a key of metadata apart, since it may contain anything. */
export function usageGrouping(group: UsageGroup): UsageGrouping {
  const time = USAGE_TIMES.find((name) => group === name || group.startsWith(`${name},`)) ?? null;
  const key = time === null ? group : group.slice(time.length + 1);
  if (key.startsWith(METADATA)) return { time, key: null, metadataKey: key.slice(METADATA.length) };
  return { time, key: USAGE_KEYS.find((name) => name === key) ?? null, metadataKey: null };
}

export interface UsageGrouping {
  readonly time: UsageTime | null;
  readonly key: UsageKey | null;
  readonly metadataKey: string | null;
}

/** The parts of a group, by name, with their SQL. */
function partsOf({ time, key, metadataKey }: UsageGrouping): (readonly [name: string, sql: string])[] {
  return [
    ...(time === null ? [] : [[time, TIMES[time]] as const]),
    ...(key === null ? [] : [[key, KEYS[key]] as const]),
    ...(metadataKey === null ? [] : [['metadata', METADATA_SQL] as const]),
  ];
}

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
  /** Counts only calls of stored executions whose metadata contain all of these pairs. */
  readonly metadata?: Readonly<Record<string, string>> | undefined;
  /** Last key of the page before, as text. */
  readonly after?: string | undefined;
  readonly limit: number;
}

export interface UsageGroupKey {
  readonly model?: string;
  readonly agent?: number;
  readonly tenant?: string;
  readonly scope?: string;
  readonly executor?: string;
  readonly metadata?: string;
  /** In UTC. */
  readonly day?: string;
  /** Its beginning, ISO 8601 in UTC. */
  readonly hour?: string;
}

/**
 * Sums of one group. Calls with unknown tokens are in no sum of tokens; `unknown_calls` is their number.
 */
export interface UsageSum {
  /** Place of the group in the list, as text. */
  readonly key: string;
  /** Parts of the group: those of `groupBy`. */
  readonly group: UsageGroupKey;
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
const SUMS: Readonly<Record<Exclude<keyof UsageSum, 'key' | 'group'>, string>> = {
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
   * Sums by group, sorted by its time and key. Calls without an agent are in no group by agent, and calls of executions
   * that name no executor, or are deleted, in none by executor; the same holds for a key of metadata.
   *
   * @param tenantId null for all tenants
   */
  async sum(tenantId: string | null, filter: UsageFilter): Promise<RowsOfPage<UsageSum>> {
    const { groupBy, after, limit } = filter;
    const grouping = usageGrouping(groupBy);
    const parts = partsOf(grouping);
    const sqls = parts.map(([, sql]) => sql);
    const sums = this.narrowed(tenantId, filter, grouping).groupBy(sqls.join(', '));
    for (const sql of sqls) sums.andWhere(`${sql} IS NOT NULL`);
    const place = groupBy === 'agent' ? KEYS.agent : sqls.map((sql) => `(${sql})::text`).join(` || ' ' || `);
    const type = groupBy === 'agent' ? 'int' : 'text';
    if (after !== undefined) sums.andWhere(`${place} > :after::${type}`, { after });
    sums.select(place, 'place').addSelect(`(${place})::text`, 'key');
    sums.addSelect(
      `jsonb_build_object(${parts.map(([name, sql]) => `'${name}', ${sql}`).join(', ')})`,
      'group',
    );
    for (const [name, sql] of Object.entries(SUMS)) sums.addSelect(sql, name);
    const [select, parameters] = sums.getQueryAndParameters();
    const page = { select, parameters, orderBy: 'place', limit };
    const found = await readPage<UsageSum & { readonly place: unknown }>(this.dataSource, page);
    return mapRows(found, ({ place: _place, ...sum }) => sum);
  }

  private narrowed(
    tenantId: string | null,
    { from, to, agentId, executionId, executorId, metadata }: UsageFilter,
    { key, metadataKey }: UsageGrouping,
  ): SelectQueryBuilder<UsageLogEntity> {
    const executedAt = And(MoreThanOrEqual(from), LessThan(to));
    const logs = this.logs.createQueryBuilder('log').comment(ANEW).where({ executedAt });
    if (key === 'executor' || metadataKey !== null || metadata !== undefined) {
      // The tenant lets the planner use `execution_executor_idx`. A key is bound once, so that all of its uses are one term.
      logs.innerJoin(
        ExecutionEntity,
        'execution',
        'execution.id = log.executionId AND execution.tenantId = log.tenantId',
      );
    }
    if (metadataKey !== null) logs.setParameter('metadataKey', metadataKey);
    if (metadata !== undefined) logs.andWhere(metadataHas('execution', metadata, bindTo(logs)));
    if (tenantId !== null) logs.andWhere({ tenantId });
    if (agentId !== undefined) logs.andWhere({ agentId });
    if (executionId !== undefined) logs.andWhere({ executionId });
    if (executorId !== undefined) whereExecutorHas(logs, 'log.executionId', 'id', { tenantId, executorId });
    return logs;
  }
}
