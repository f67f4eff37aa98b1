import { EXECUTION_STATUSES, type ExecutionStatus } from '#libs/payloads';
import { PLANNED_ANEW } from '../plan-settings.js';
import type { PageQuery } from '../rows/bounded-page.js';
import {
  executorSql,
  madeWithin,
  metadataHas,
  UUIDS,
  type Bind,
  type MadeWithin,
} from '../rows/list-conditions.js';

export interface ExecutionFilter extends MadeWithin {
  readonly statuses?: readonly ExecutionStatus[] | undefined;
  readonly agentId?: number | undefined;
  readonly sessionId?: string | undefined;
  /** `user_id` of the request's executor. */
  readonly executorId?: string | undefined;
  /** Pairs that the metadata must all contain. */
  readonly metadata?: Readonly<Record<string, string>> | undefined;
  /** Only with an agent: versions count by agent. */
  readonly agentVersion?: number | undefined;
  /** Code of the error that it failed with. */
  readonly errorCode?: string | undefined;
  /** A tool that it has called, or was refused. */
  readonly toolName?: string | undefined;
  /** US dollars as decimal text, both included; unknown costs are in no range. */
  readonly minCostUsd?: string | undefined;
  readonly maxCostUsd?: string | undefined;
  /** Milliseconds from its start to its end, both included. */
  readonly minDurationMs?: number | undefined;
  readonly maxDurationMs?: number | undefined;
  /** Text within the first {@link SEARCHED_INPUT_CHARACTERS} characters of its input, in any case. */
  readonly input?: string | undefined;
  readonly isOldestFirst: boolean;
  /** Only executions after this one, in the requested order. */
  readonly lastId?: string | undefined;
  readonly limit: number;
}

/** Characters of an input that are searched. */
export const SEARCHED_INPUT_CHARACTERS = 1_000;

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
  // Indexes that hold settled executions only are of use where each branch says its status.
  const isOfSettled = filter.agentVersion !== undefined || filter.input !== undefined;
  const branches = (statuses ?? (isOfSettled ? EXECUTION_STATUSES : [null])).map((status) => {
    const ofStatus = status === null ? '' : ` AND e.status = $${parameters.push(status)}::text`;
    return `(${select} WHERE ${conditions}${ofStatus} ORDER BY e.${orderBy} LIMIT ${most})`;
  });
  const union = branches.join(' UNION ALL ');
  return { select: `${PLANNED_ANEW} SELECT * FROM (${union}) found`, parameters, orderBy, limit };
}

function conditionsOf(
  tenantId: string,
  filter: ExecutionFilter,
): { conditions: string; parameters: unknown[] } {
  const { agentId, sessionId, executorId, metadata, lastId, isOldestFirst } = filter;
  const parameters: unknown[] = [];
  const bind: Bind = (value, type) => `$${parameters.push(value)}::${type}`;
  const conditions = [`e.tenant_id = ${bind(tenantId, 'text')}`];
  if (agentId !== undefined) conditions.push(`e.agent_id = ${bind(agentId, 'int')}`);
  if (sessionId !== undefined) conditions.push(`e.session_id = ${bind(sessionId, 'uuid')}`);
  if (executorId !== undefined) conditions.push(`${executorSql('e')} = ${bind(executorId, 'text')}`);
  if (metadata !== undefined) conditions.push(metadataHas('e', metadata, bind));
  conditions.push(...ofItsRun(filter, bind), ...madeWithin(filter, 'e', bind, UUIDS));
  if (lastId !== undefined) conditions.push(`e.id ${isOldestFirst ? '>' : '<'} ${bind(lastId, 'uuid')}`);
  return { conditions: conditions.join(' AND '), parameters };
}

const COST = `(e.usage ->> 'total_cost_usd')::numeric`;
const DURATION = '(e.finished_at - e.started_at)';

/** Conditions on what an execution said and did, as the indexes of `special-indexes.sql` have it. */
function ofItsRun(filter: ExecutionFilter, bind: Bind): string[] {
  const { agentVersion, errorCode, toolName, minCostUsd, maxCostUsd, minDurationMs, maxDurationMs, input } =
    filter;
  const ms = (value: number): string => `${bind(value, 'float8')} * interval '1 millisecond'`;
  const conditions: string[] = [];
  if (agentVersion !== undefined) conditions.push(`e.agent_version = ${bind(agentVersion, 'int')}`);
  if (errorCode !== undefined)
    conditions.push(`e.error IS NOT NULL AND e.error ->> 'code' = ${bind(errorCode, 'text')}`);
  if (toolName !== undefined)
    conditions.push(`e.id IN (SELECT step.execution_id FROM run_step step
      WHERE step.tenant_id = e.tenant_id AND step.tool_name = ${bind(toolName, 'text')} AND step.status <> 'started')`);
  if (minCostUsd !== undefined)
    conditions.push(`e.usage IS NOT NULL AND ${COST} >= ${bind(minCostUsd, 'numeric')}`);
  if (maxCostUsd !== undefined)
    conditions.push(`e.usage IS NOT NULL AND ${COST} <= ${bind(maxCostUsd, 'numeric')}`);
  if (minDurationMs !== undefined)
    conditions.push(`e.finished_at IS NOT NULL AND ${DURATION} >= ${ms(minDurationMs)}`);
  if (maxDurationMs !== undefined)
    conditions.push(`e.finished_at IS NOT NULL AND ${DURATION} <= ${ms(maxDurationMs)}`);
  if (input !== undefined)
    conditions.push(
      `left(e.request ->> 'input', ${SEARCHED_INPUT_CHARACTERS}) ILIKE ${bind(containing(input), 'text')}`,
    );
  return conditions;
}

/** A pattern of LIKE for this text anywhere. */
function containing(text: string): string {
  return `%${text.replace(/[\\%_]/g, '\\$&')}%`;
}
