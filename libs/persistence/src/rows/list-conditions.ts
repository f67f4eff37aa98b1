import type { ObjectLiteral, SelectQueryBuilder } from 'typeorm';
import { ExecutionEntity } from '../entities/execution.entity.js';

/** Binds a value and answers its place in the statement. */
export type Bind = (value: unknown, type: string) => string;

/** Binds values of conditions that are given to the query builder. */
export function bindTo<Entity extends ObjectLiteral>(query: SelectQueryBuilder<Entity>): Bind {
  let count = 0;
  return (value, type) => {
    const name = `bound_${(count += 1)}`;
    query.setParameter(name, value);
    return `:${name}::${type}`;
  };
}

/** A range of time that narrows a list by when its things were made. */
export interface MadeWithin {
  /** Made then or later. */
  readonly from?: Date | undefined;
  /** Made before. */
  readonly to?: Date | undefined;
}

/** Whether the metadata of a row contain all of these pairs, as its GIN index has them. */
export function metadataHas(table: string, pairs: Readonly<Record<string, string>>, bind: Bind): string {
  return `${table}.metadata <> '{}' AND ${table}.metadata @> ${bind(JSON.stringify(pairs), 'jsonb')}`;
}

/** The executor of an execution, as `execution_executor_idx` has it. */
export function executorSql(execution: string): string {
  return `${execution}.request #>> '{executor,user_id}'`;
}

/**
 * Whether a column of a list is among those of the executions of an executor, which are read once for the whole statement.
 *
 * @param tenantId null: of every tenant
 */
export function whereExecutorHas<Entity extends ObjectLiteral>(
  query: SelectQueryBuilder<Entity>,
  column: string,
  executions: 'id' | 'sessionId',
  { tenantId, executorId }: { readonly tenantId: string | null; readonly executorId: string },
): void {
  const theirs = query.subQuery().select(`e.${executions}`).from(ExecutionEntity, 'e');
  theirs.where(`${executorSql('e')} = :executorId`, { executorId });
  if (tenantId !== null) theirs.andWhere({ tenantId });
  query.andWhere(`${column} = ANY(ARRAY${theirs.getQuery()})`);
}

/** Allowed difference between the clock that made an id and that of the database: a day, in ms. */
const CLOCKS_APART_MS = 86_400_000;

/**
 * Conditions of a range of time. `created_at` decides; a range of ids beside it lets an index by id be used, since ids (UUID
 * v7) begin with the time of their making.
 *
 * @param table its alias, which has `id` and `created_at`
 * @param toId the id with this UUID
 */
export function madeWithin(
  { from, to }: MadeWithin,
  table: string,
  bind: Bind,
  { type, toId }: { readonly type: string; readonly toId: (uuid: string) => string },
): string[] {
  const conditions: string[] = [];
  if (from !== undefined) {
    conditions.push(`${table}.created_at >= ${bind(from, 'timestamptz')}`);
    conditions.push(`${table}.id >= ${bind(toId(firstIdAt(from.getTime() - CLOCKS_APART_MS)), type)}`);
  }
  if (to !== undefined) {
    conditions.push(`${table}.created_at < ${bind(to, 'timestamptz')}`);
    conditions.push(`${table}.id < ${bind(toId(firstIdAt(to.getTime() + CLOCKS_APART_MS)), type)}`);
  }
  return conditions;
}

const TIME_DIGITS = 12;
const LAST_TIME = 2 ** 48 - 1;

/** The lowest UUID v7 of a time, in milliseconds since 1970. */
function firstIdAt(ms: number): string {
  const time = Math.min(Math.max(ms, 0), LAST_TIME).toString(16).padStart(TIME_DIGITS, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-0000-0000-000000000000`;
}

/** Ids that are UUIDs. */
export const UUIDS = { type: 'uuid', toId: (uuid: string): string => uuid };
