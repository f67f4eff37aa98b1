import type { ExecutionStatus } from '#libs/payloads';
import { PLANNED_ANEW } from '../preparing-client.js';
import type { PageQuery } from './bounded-page.js';

export interface ExecutionFilter {
  readonly statuses?: readonly ExecutionStatus[] | undefined;
  readonly agentId?: number | undefined;
  readonly sessionId?: string | undefined;
  /** Pairs that its metadata has, all of them. */
  readonly metadata?: Readonly<Record<string, string>> | undefined;
  /** Accepted then or later. */
  readonly from?: Date | undefined;
  /** Accepted before. */
  readonly to?: Date | undefined;
  readonly isOldestFirst: boolean;
  /** Only executions after this one, in the order that is asked for. */
  readonly lastId?: string | undefined;
  readonly limit: number;
}

/** How far the clock that made an id may be from that of the database. */
const CLOCKS_APART_MS = 86_400_000;

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

type Bind = (value: unknown, type: string) => string;

function conditionsOf(
  tenantId: string,
  { agentId, sessionId, metadata, from, to, lastId, isOldestFirst }: ExecutionFilter,
): { conditions: string; parameters: unknown[] } {
  const parameters: unknown[] = [];
  const bind: Bind = (value, type) => `$${parameters.push(value)}::${type}`;
  const conditions = [`e.tenant_id = ${bind(tenantId, 'text')}`];
  if (agentId !== undefined) conditions.push(`e.agent_id = ${bind(agentId, 'int')}`);
  if (sessionId !== undefined) conditions.push(`e.session_id = ${bind(sessionId, 'uuid')}`);
  if (metadata !== undefined)
    conditions.push(`e.metadata <> '{}' AND e.metadata @> ${bind(JSON.stringify(metadata), 'jsonb')}`);
  if (from !== undefined) {
    conditions.push(`e.created_at >= ${bind(from, 'timestamptz')}`);
    conditions.push(`e.id >= ${bind(firstIdAt(from.getTime() - CLOCKS_APART_MS), 'uuid')}`);
  }
  if (to !== undefined) {
    conditions.push(`e.created_at < ${bind(to, 'timestamptz')}`);
    conditions.push(`e.id < ${bind(firstIdAt(to.getTime() + CLOCKS_APART_MS), 'uuid')}`);
  }
  if (lastId !== undefined) conditions.push(`e.id ${isOldestFirst ? '>' : '<'} ${bind(lastId, 'uuid')}`);
  return { conditions: conditions.join(' AND '), parameters };
}

const TIME_DIGITS = 12;
const LAST_TIME = 2 ** 48 - 1;

/** The lowest UUID v7 of a time, in milliseconds since 1970. */
function firstIdAt(ms: number): string {
  const time = Math.min(Math.max(ms, 0), LAST_TIME).toString(16).padStart(TIME_DIGITS, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-0000-0000-000000000000`;
}
