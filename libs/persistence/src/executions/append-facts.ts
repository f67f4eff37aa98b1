import { ROOT, type JournalEntry, type JournalBatch } from '#libs/agent-core';
import { asStorableJson } from '#libs/kernel';
import type { EntityManager } from 'typeorm';
import { queryRows, type Queryable } from '../sql.js';
import { versionOf } from './read-journal.js';
import type { ClaimFence } from '#libs/executions';
import { type LockedRow, parametersOf, type Prepared } from './write-together.js';

/** Facts in the JSON form that {@link insertFactsSql} reads, in order. */
function toFactRows(entries: readonly JournalEntry[]): object[] {
  return entries.map((entry, index) => {
    const { kind, scope = ROOT, ...data } = entry;
    return { place: index + 1, version: versionOf(entry), kind, scope, data: asStorableJson(data) };
  });
}

/** SQL expressions of the target and the content of facts. */
interface FactsSource {
  /** Part of the statement with `id` and `tenant_id` of each execution; without a row no facts are written. */
  readonly of: string;
  /** Epoch of the claim. */
  readonly epoch: string;
  /** Sequence of the last fact before them. */
  readonly after: string;
  /** Result of {@link toFactRows} as JSON. */
  readonly rows: string;
}

/**
 * The only statement that writes to the journal. Concurrent appends after the same fact conflict on the primary key, and
 * one of them fails.
 */
function insertFactsSql({ of, epoch, after, rows }: FactsSource): string {
  return `INSERT INTO journal_entry (execution_id, sequence, tenant_id, epoch, version, kind, scope, data)
    SELECT ${of}.id, ${after} + fact.place, ${of}.tenant_id, ${epoch}, fact.version, fact.kind, fact.scope, fact.data
      FROM ${of}, jsonb_to_recordset(${rows}::jsonb) AS fact (place int, version int, kind text, scope text, data jsonb)`;
}

/** Appends facts outside an attempt. The caller holds the lock on the execution's row, which excludes other writers. */
export async function appendFacts(
  manager: Pick<EntityManager, 'query'>,
  executionId: string,
  entries: readonly JournalEntry[],
): Promise<void> {
  await queryRows(manager, APPEND_TO_LOCKED_SQL, [executionId, JSON.stringify(toFactRows(entries))]);
}

const APPEND_TO_LOCKED_SQL = `
  WITH locked AS (
    SELECT id, tenant_id, epoch, (SELECT coalesce(max(sequence), 0) FROM journal_entry WHERE execution_id = $1) AS last
      FROM execution WHERE id = $1
  )
  ${insertFactsSql({ of: 'locked', epoch: 'locked.epoch', after: 'locked.last', rows: '$2' })}`;

/** Facts of one claim and the audit rows that mirror them. */
export interface FencedWrite extends ClaimFence {
  readonly epoch: number;
  /** Sequence of the last fact before these. */
  readonly after: number;
  readonly batch: JournalBatch;
}

/** Locking behaviour of a statement. */
export interface Locking {
  /**
   * False for a shared statement: rows locked by another transaction are skipped, so that one claim does not delay
   * others.
   */
  readonly waits: boolean;
}

/** The JSON form that {@link heldSql} and {@link insertBatchSql} read. */
export function toFencedRow({ executionId, token, epoch, after, batch }: FencedWrite): object {
  const steps = batch.runSteps.map((step) => asStorableJson(toStepRow(step)));
  return { id: executionId, token, epoch, after, facts: toFactRows(batch.entries), steps };
}

function toStepRow(step: JournalBatch['runSteps'][number]): object {
  const { scope, round, position, callId: call_id, toolName: tool_name, effect } = step;
  const { input, output, status, error } = step;
  const times = { started_ms: step.startedAt, finished_ms: step.finishedAt };
  const sent_input = step.sentInput;
  return {
    scope,
    round,
    position,
    call_id,
    tool_name,
    effect,
    input,
    sent_input,
    output,
    status,
    error,
    ...times,
  };
}

/**
 * First parts of a statement that writes for several claims, each at most once. `given`: the parameter `$1` as rows.
 * `session` and `locked`: rows locked in id order, sessions before executions, as in every settling transaction. `held`:
 * the given rows with a valid claim. Sessions are `$3`, executions `$2`.
 *
 * UPDATEs of the statement must take their values from `held`: if a row changed concurrently, PostgreSQL re-reads that
 * row but does not re-run other parts.
 * @param columns columns of `given` beyond those of every write
 */
export function heldSql(columns: string, { waits }: Locking): string {
  const lock = `FOR NO KEY UPDATE${waits ? '' : ' SKIP LOCKED'}`;
  return `given AS MATERIALIZED (
    SELECT * FROM jsonb_to_recordset($1::jsonb)
           AS given (id uuid, token uuid, epoch int, after int, facts jsonb, steps jsonb${columns})
  ), session AS MATERIALIZED (
    SELECT id, next_turn, title, engine_session_id, engine_first_turn FROM chat_session WHERE id = ANY($3::uuid[]) ORDER BY id ${lock}
  ), locked AS MATERIALIZED (
    SELECT id, tenant_id, agent_id, session_id, turn_number, attempt, status, claim_token FROM execution
     WHERE id = ANY($2::uuid[]) AND (SELECT count(*) FROM session) >= 0 ORDER BY id ${lock}
  ), held AS MATERIALIZED (
    SELECT given.*, locked.tenant_id, locked.agent_id, locked.session_id, locked.turn_number, locked.attempt
      FROM given JOIN locked ON locked.id = given.id AND locked.claim_token = given.token AND locked.status = 'running'
  )`;
}

/** Parts that insert the facts and audit rows of `of`. */
export function insertBatchSql(of: string): string {
  return `facts AS (
    ${insertFactsSql({ of, epoch: `${of}.epoch`, after: `${of}.after`, rows: `${of}.facts` })}
  ), steps AS (
    INSERT INTO run_step (execution_id, scope, round, position, tenant_id, attempt, call_id, tool_name, effect, input, sent_input, output, status, error,
                          started_at, finished_at)
    SELECT ${of}.id, step.scope, step.round, step.position, ${of}.tenant_id, ${of}.attempt, step.call_id, step.tool_name, step.effect, step.input,
           step.sent_input, step.output, step.status, step.error,
           coalesce(to_timestamp(step.started_ms / 1000),
                    (SELECT earlier.started_at FROM run_step earlier
                      WHERE earlier.execution_id = ${of}.id AND earlier.scope = step.scope
                        AND earlier.round = step.round AND earlier.position = step.position),
                    clock_timestamp()),
           CASE WHEN step.status = 'started' THEN NULL
                ELSE coalesce(to_timestamp(step.finished_ms / 1000), clock_timestamp()) END
      FROM ${of}, jsonb_to_recordset(${of}.steps) AS step (scope text, round int, position int, call_id text, tool_name text, effect text,
           input jsonb, sent_input text, output jsonb, status text, error text, started_ms float8, finished_ms float8)
    ON CONFLICT (execution_id, scope, round, position) DO UPDATE
      SET attempt = excluded.attempt, effect = excluded.effect, output = excluded.output, status = excluded.status, error = excluded.error,
          started_at = excluded.started_at, finished_at = excluded.finished_at
  )`;
}

/** @param sessionId session to lock with the execution, for later statements of the transaction */
export function prepareAppend(write: FencedWrite, sessionId: string | null = null): Prepared {
  return { executionId: write.executionId, sessionId, json: JSON.stringify(toFencedRow(write)) };
}

/** Appends facts of several claims in one statement; returns a row for each, also for skipped ones. */
export function appendTogether(manager: Queryable, items: readonly Prepared[]): Promise<LockedRow[]> {
  return queryRows<LockedRow>(manager, APPEND_TOGETHER_SQL, parametersOf(items));
}

/** Appends facts of one claim and waits for its locks; null if it no longer holds the execution. */
export async function appendAlone(manager: Queryable, item: Prepared): Promise<LockedRow | null> {
  const [row] = await queryRows<LockedRow>(manager, APPEND_ALONE_SQL, parametersOf([item]));
  return row?.is_held === true ? row : null;
}

const appendSql = (locking: Locking): string => `
  WITH ${heldSql('', locking)}, ${insertBatchSql('held')}
  SELECT given.id, locked.id IS NOT NULL AS is_ready, held.id IS NOT NULL AS is_held
    FROM given LEFT JOIN locked ON locked.id = given.id LEFT JOIN held ON held.id = given.id`;

const APPEND_TOGETHER_SQL = appendSql({ waits: false });
const APPEND_ALONE_SQL = appendSql({ waits: true });
