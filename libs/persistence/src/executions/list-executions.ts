import type { ExecutionStatus } from '#libs/payloads';
import { PLANNED_ANEW } from '../preparing-client.js';
import type { PageQuery } from '../rows/bounded-page.js';
import { executorSql, madeWithin, UUIDS, type Bind, type MadeWithin } from '../rows/list-conditions.js';

export interface ExecutionFilter extends MadeWithin {
  readonly statuses?: readonly ExecutionStatus[] | undefined;
  readonly agentId?: number | undefined;
  readonly sessionId?: string | undefined;
  /** `user_id` of the request's executor. */
  readonly executorId?: string | undefined;
  /** Pairs that the metadata must all contain. */
  readonly metadata?: Readonly<Record<string, string>> | undefined;
  readonly isOldestFirst: boolean;
  /** Only executions after this one, in the requested order. */
  readonly lastId?: string | undefined;
  readonly limit: number;
}

/**
 * Lists by id (UUID v7, which begins with the creation time), so that one index serves order and most of a time range;
 * `created_at` is still compared. One branch per status reads its partial index in order and stops early. Planned for the
 * given values, because a generic plan cannot use partial indexes.
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
