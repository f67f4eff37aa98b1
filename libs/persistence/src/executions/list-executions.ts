import type { ExecutionStatus } from '#libs/payloads';
import { PLANNED_ANEW } from '../preparing-client.js';
import type { PageQuery } from '../rows/bounded-page.js';
import { executorSql, madeWithin, UUIDS, type Bind, type MadeWithin } from '../rows/list-conditions.js';

export interface ExecutionFilter extends MadeWithin {
  readonly statuses?: readonly ExecutionStatus[] | undefined;
  readonly agentId?: number | undefined;
  readonly sessionId?: string | undefined;
  /** `user_id` of the executor that its request names. */
  readonly executorId?: string | undefined;
  /** Pairs that its metadata has, all of them. */
  readonly metadata?: Readonly<Record<string, string>> | undefined;
  readonly isOldestFirst: boolean;
  /** Only executions after this one, in the order that is asked for. */
  readonly lastId?: string | undefined;
  readonly limit: number;
}

/**
 * Lists by ids, which begin with the time that they were made at (UUID v7), so that one index gives the order and most of a
 * range of time; `created_at` decides. One branch for each status, so that each reads its own part of an index in order and
 * stops. Planned for the values that are asked for: a plan for any value would use no index that is of some rows only.
 *
 * @param select up to its WHERE, from `execution e`
 */
export function listExecutionsQuery(select: string, tenantId: string, filter: ExecutionFilter): PageQuery {
  const { statuses, isOldestFirst, limit } = filter;
  const { conditions, parameters } = conditionsOf(tenantId, filter);
  const orderBy = isOldestFirst ? 'id' : 'id DESC';
  const most = `$${parameters.push(limit)}::int + 1`;
  const branches = (statuses ?? [null]).map((status) => {
    const ofStatus = status === null ? '' : ` AND e.status = $${parameters.push(status)}::text`;
    return `(${select} WHERE ${conditions}${ofStatus} ORDER BY e.${orderBy} LIMIT ${most})`;
  });
  const union = branches.join(' UNION ALL ');
  return { select: `${PLANNED_ANEW} SELECT * FROM (${union}) found`, parameters, orderBy, limit };
}

function conditionsOf(
  tenantId: string,
  { agentId, sessionId, executorId, metadata, lastId, isOldestFirst, ...range }: ExecutionFilter,
): { conditions: string; parameters: unknown[] } {
  const parameters: unknown[] = [];
  const bind: Bind = (value, type) => `$${parameters.push(value)}::${type}`;
  const conditions = [`e.tenant_id = ${bind(tenantId, 'text')}`];
  if (agentId !== undefined) conditions.push(`e.agent_id = ${bind(agentId, 'int')}`);
  if (sessionId !== undefined) conditions.push(`e.session_id = ${bind(sessionId, 'uuid')}`);
  if (executorId !== undefined) conditions.push(`${executorSql('e')} = ${bind(executorId, 'text')}`);
  if (metadata !== undefined)
    conditions.push(`e.metadata <> '{}' AND e.metadata @> ${bind(JSON.stringify(metadata), 'jsonb')}`);
  conditions.push(...madeWithin(range, 'e', bind, UUIDS));
  if (lastId !== undefined) conditions.push(`e.id ${isOldestFirst ? '>' : '<'} ${bind(lastId, 'uuid')}`);
  return { conditions: conditions.join(' AND '), parameters };
}
