import { readCitations } from '#libs/agent-core';
import {
  toExecutionResult,
  type ExecutionResult,
  type ExecutionStatus,
  LISTED_INPUT_CHARACTERS,
  type ExecutionSummary,
  type ExecutionUsage,
  type ExecutionView,
  type ExecutionWithRequest,
  type IncompleteReason,
  type LateEvidence,
  type PendingCall,
  type RequestView,
  type AdditionalData,
  type WaitingFor,
} from '#libs/payloads';
import type { JsonObject } from '#libs/kernel';
import { shownWait } from './shown-wait.js';

interface EvidenceRow extends Omit<LateEvidence, 'observed_at'> {
  readonly call: string;
  /** Timestamp in PostgreSQL's JSON format. */
  readonly observed_at: string;
}

/** Row of an execution without its answer. */
export interface ExecutionSummaryRow {
  readonly id: string;
  readonly agent_id: number;
  readonly agent_version: number | null;
  readonly session_id: string;
  readonly turn_number: number;
  readonly status: ExecutionStatus;
  readonly attempt: number;
  readonly incomplete_reason: IncompleteReason | null;
  readonly error: { code: string; message: string } | null;
  readonly usage: ExecutionUsage | null;
  readonly execution_metadata: JsonObject;
  readonly metadata: Record<string, string>;
  readonly created_at: Date;
  readonly started_at: Date | null;
  readonly finished_at: Date | null;
  readonly restored_at: Date | null;
  /** Calls stored by older releases lack `asks`. */
  readonly pending_calls: (Omit<PendingCall, 'asks'> & Partial<Pick<PendingCall, 'asks'>>)[] | null;
  readonly approval_expires_at: Date | null;
  readonly waiting_for: WaitingFor | null;
  readonly head_since: Date | null;
  readonly due_at: Date | null;
  readonly deadline_at: Date | null;
  /** Only set for a waiting execution. */
  readonly late_evidence: EvidenceRow[] | null;
}

export interface ExecutionViewRow extends ExecutionSummaryRow {
  readonly message_id: number | null;
  readonly message_content: string | null;
  readonly message_data: AdditionalData | null;
  readonly message_truncated: boolean | null;
}

/** Row with the fields of the `result` event. */
export interface ExecutionResultRow extends ExecutionViewRow {
  readonly num_turns: number | null;
  readonly engine_session_id: string | null;
  /** True if its session is named after it. */
  readonly names_session: boolean;
}

const SUMMARY_COLUMNS = `
         e.id, e.agent_id, e.agent_version, e.session_id, e.turn_number, e.status, e.attempt, e.incomplete_reason, e.error, e.usage,
         e.execution_metadata, e.metadata, e.created_at, e.started_at, e.finished_at, e.restored_at,
         e.pending_calls, e.approval_expires_at, e.waiting_for, e.head_since, e.due_at, e.deadline_at,
         CASE WHEN e.status = 'requires_action' THEN (
           SELECT jsonb_agg(jsonb_build_object('call', CASE WHEN seen.scope = '' THEN '' ELSE seen.scope || ':' END || seen.round || '.' || seen.position, 'epoch', seen.epoch,
                    'status', seen.status, 'output', seen.output, 'observed_at', seen.observed_at) ORDER BY seen.epoch)
             FROM late_evidence seen WHERE seen.execution_id = e.id)
         END AS late_evidence`;

/** Number of first facts among which the preparation of an execution stands. */
const FIRST_FACTS = 20;

/**
 * The request of `execution e`, its input cut to so many characters, or whole. Its model is in the first fact of its run,
 * before which there are only those of calls that may have been lost.
 */
const requestColumns = (most: number | null): string => {
  const whole = `coalesce(e.request ->> 'input', '')`;
  return `${most === null ? whole : `left(${whole}, ${most})`} AS input,
         ${most === null ? 'false' : `length(${whole}) > ${most}`} AS input_truncated,
         e.request -> 'executor' AS executor, coalesce(e.request -> 'options', '{}') AS options,
         (SELECT fact.data ->> 'model' FROM journal_entry fact
           WHERE fact.execution_id = e.id AND fact.sequence <= ${FIRST_FACTS} AND fact.kind = 'execution_prepared'
             AND fact.scope = '' ORDER BY fact.sequence LIMIT 1) AS model`;
};

/** Columns for {@link toListedExecution}, from `execution e`. */
export const EXECUTION_SUMMARY_SELECT = `SELECT ${SUMMARY_COLUMNS}, ${requestColumns(LISTED_INPUT_CHARACTERS)} FROM execution e`;

/** Columns for {@link toExecutionView}, from `execution e` and its answer. */
export const EXECUTION_VIEW_SELECT = `
  SELECT ${SUMMARY_COLUMNS}, m.id AS message_id, m.content AS message_content, m.data AS message_data,
         m.truncated AS message_truncated
    FROM execution e LEFT JOIN chat_message m ON m.id = e.result_message_id`;

/** Columns for {@link toExecutionWithRequest}, from `execution e` and its answer. */
export const EXECUTION_WITH_REQUEST_SELECT = `
  SELECT ${SUMMARY_COLUMNS}, ${requestColumns(null)}, m.id AS message_id, m.content AS message_content,
         m.data AS message_data, m.truncated AS message_truncated
    FROM execution e LEFT JOIN chat_message m ON m.id = e.result_message_id`;

/** Columns for {@link toResultOf}, and the session's title from this execution as `generated_title`. */
export const EXECUTION_RESULT_SELECT = `
  SELECT ${SUMMARY_COLUMNS}, m.id AS message_id, m.content AS message_content, m.data AS message_data,
         m.truncated AS message_truncated, e.num_turns, e.engine_session_id,
         naming.execution_id IS NOT NULL AS names_session, naming.title AS generated_title
    FROM execution e
    LEFT JOIN chat_message m ON m.id = e.result_message_id
    LEFT JOIN session_title naming ON naming.execution_id = e.id`;

/** Columns of the execution's own row, for statements that write it. */
const EXECUTION_COLUMNS = `id, agent_id, agent_version, session_id, turn_number, status, attempt, incomplete_reason, error, usage,
  execution_metadata, metadata, created_at, started_at, finished_at, restored_at, pending_calls, approval_expires_at, waiting_for,
  head_since, due_at, deadline_at, NULL::jsonb AS late_evidence`;

/** All columns of a newly accepted execution, which has no answer yet. */
export const ACCEPTED_COLUMNS = `${EXECUTION_COLUMNS},
  NULL::int AS message_id, NULL::text AS message_content, NULL::jsonb AS message_data,
  NULL::boolean AS message_truncated`;

export function toExecutionView(row: ExecutionViewRow): ExecutionView {
  const { id, agent_id, agent_version, session_uuid, turn_number, status, attempt, ...others } =
    toExecutionSummary(row);
  const first = { id, agent_id, agent_version, session_uuid, turn_number, status, attempt };
  return { ...first, result: toResult(row), ...others };
}

/** Data of the `result` event. */
export function toResultOf(row: ExecutionResultRow): ExecutionResult {
  return toExecutionResult(toExecutionView(row), {
    num_turns: row.num_turns ?? 0,
    session_id: row.engine_session_id,
    title_pending: row.names_session,
  });
}

export function toExecutionWithRequest(row: ExecutionViewRow & RequestView): ExecutionWithRequest {
  return { ...toExecutionView(row), ...toRequestView(row) };
}

export function toListedExecution(row: ExecutionSummaryRow & RequestView): ExecutionSummary {
  return { ...toExecutionSummary(row), ...toRequestView(row) };
}

function toRequestView({ input, input_truncated, executor, options, model }: RequestView): RequestView {
  return { input, input_truncated, executor, options, model };
}

function toExecutionSummary(row: ExecutionSummaryRow): Omit<ExecutionView, 'result'> {
  return {
    id: row.id,
    agent_id: row.agent_id,
    agent_version: row.agent_version,
    session_uuid: row.session_id,
    turn_number: row.turn_number,
    status: row.status,
    // An attempt still loading its tools is not counted, because it may turn out to have only waited.
    attempt: row.status === 'running' && row.started_at === null ? row.attempt - 1 : row.attempt,
    required_action: toRequiredAction(row),
    waiting_for: shownWait(row),
    incomplete_details: row.incomplete_reason === null ? null : { reason: row.incomplete_reason },
    error: row.error,
    usage: row.usage,
    execution_metadata: row.execution_metadata,
    metadata: row.metadata,
    created_at: row.created_at.toISOString(),
    started_at: row.started_at?.toISOString() ?? null,
    finished_at: row.finished_at?.toISOString() ?? null,
    restored_at: row.restored_at?.toISOString() ?? null,
  };
}

function toResult(row: ExecutionViewRow): ExecutionView['result'] {
  if (row.message_id === null) return null;
  const message = {
    id: row.message_id,
    role: 'assistant' as const,
    content: row.message_content ?? '',
    data: row.message_data ?? {},
    ...(row.message_truncated === true && { truncated: true as const }),
  };
  return { message, citations: readCitations(message.data) };
}

function toRequiredAction(row: ExecutionSummaryRow): ExecutionView['required_action'] {
  if (row.pending_calls === null || row.approval_expires_at === null) return null;
  const calls = row.pending_calls.map((waiting) => {
    const call = { ...waiting, asks: waiting.asks ?? 'approval' };
    return call.asks === 'approval' ? call : { ...call, late_evidence: evidenceOf(row, call.call) };
  });
  return { calls, expires_at: row.approval_expires_at.toISOString() };
}

function evidenceOf(row: ExecutionSummaryRow, named: string): LateEvidence[] {
  return (row.late_evidence ?? [])
    .filter((seen) => seen.call === named)
    .map(({ epoch, status, output, observed_at }) => ({
      epoch,
      status,
      output,
      observed_at: new Date(observed_at).toISOString(),
    }));
}
