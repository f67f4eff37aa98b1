import type { Client } from 'pg';

/** Times are Unix milliseconds. */
export interface ExecutionRow {
  readonly id: string;
  readonly tenantId: string;
  readonly sessionId: string;
  readonly turnNumber: number;
  readonly status: string;
  readonly attempt: number;
  readonly lostAttempts: number;
  readonly epoch: number;
  readonly errorCode: string | null;
  readonly totalTokens: number | null;
  /** The load client's name for it. */
  readonly key: string | null;
  readonly createdAt: number;
  readonly startedAt: number | null;
  readonly finishedAt: number | null;
  readonly deadlineAt: number | null;
}

export interface JournalRow {
  readonly executionId: string;
  readonly sequence: number;
  readonly epoch: number;
  /** The loop to which the fact belongs; `''` is the execution's own. */
  readonly scope: string;
  readonly kind: string;
  readonly createdAt: number;
  readonly round: number | null;
  readonly position: number | null;
  /** Set for a settled call. */
  readonly outcome: string | null;
  /** Set for an answer of the model. */
  readonly responseId: string | null;
  /** The number of calls that an answer of the model asks for; 0 for other facts. */
  readonly calls: number;
}

export interface RunStepRow {
  readonly executionId: string;
  readonly scope: string;
  readonly round: number;
  readonly position: number;
  readonly toolName: string;
  readonly status: string;
  readonly hasOutput: boolean;
}

export interface UsageRow {
  readonly executionId: string;
  readonly purpose: string;
  readonly scope: string;
  readonly round: number;
  readonly state: string;
  readonly responseId: string | null;
  readonly totalTokens: number | null;
}

export interface MessageRow {
  readonly id: number;
  readonly sessionId: string;
  readonly executionId: string;
  readonly turnNumber: number;
  readonly ordinal: number;
  readonly role: string;
  readonly content: string;
}

export interface DeliveryRow {
  readonly id: string;
  readonly tenantId: string;
  readonly executionId: string;
  readonly type: string;
  readonly body: string;
  readonly status: string;
  readonly attemptCount: number;
}

/** A claim of an execution. */
export interface ClaimRow {
  readonly executionId: string;
  readonly tenantId: string;
  readonly attempt: number;
  /** `<host>-<pid>#<announcement>` of the worker. */
  readonly owner: string;
  readonly at: number;
}

/** The rows in PostgreSQL at the end of a run. */
export interface DatabaseLedger {
  readonly executions: readonly ExecutionRow[];
  readonly journal: readonly JournalRow[];
  readonly runSteps: readonly RunStepRow[];
  readonly usage: readonly UsageRow[];
  readonly messages: readonly MessageRow[];
  readonly deliveries: readonly DeliveryRow[];
  /** Every claim in order, as a trigger recorded it. */
  readonly claims: readonly ClaimRow[];
  /** Tenants with an endpoint for every kind of ending. */
  readonly tenantsWithEndpoint: readonly string[];
}

const ms = (column: string) => `(extract(epoch FROM ${column}) * 1000)::float8`;

export async function readDatabaseLedger(client: Client): Promise<DatabaseLedger> {
  const rows = async <Row extends object>(sql: string): Promise<Row[]> => (await client.query<Row>(sql)).rows;
  return {
    executions: await rows<ExecutionRow>(
      `SELECT id, tenant_id AS "tenantId", session_id AS "sessionId", turn_number AS "turnNumber", status, attempt,
              lost_attempts AS "lostAttempts", epoch, error->>'code' AS "errorCode",
              (usage->>'total_tokens')::float8 AS "totalTokens", metadata->>'chaos_key' AS key,
              ${ms('created_at')} AS "createdAt", ${ms('started_at')} AS "startedAt",
              ${ms('finished_at')} AS "finishedAt", ${ms('deadline_at')} AS "deadlineAt"
         FROM execution ORDER BY id`,
    ),
    journal: await rows<JournalRow>(
      `SELECT execution_id AS "executionId", sequence, epoch, scope, kind, ${ms('created_at')} AS "createdAt",
              (data->>'round')::int AS round, (data->>'position')::int AS position,
              data->'outcome'->>'status' AS outcome, data->'answer'->>'responseId' AS "responseId",
              coalesce(jsonb_array_length(data->'answer'->'toolCalls'), 0) AS calls
         FROM journal_entry ORDER BY execution_id, sequence`,
    ),
    runSteps: await rows<RunStepRow>(
      `SELECT execution_id AS "executionId", scope, round, position, tool_name AS "toolName", status,
              output IS NOT NULL AS "hasOutput"
         FROM run_step`,
    ),
    usage: await rows<UsageRow>(
      `SELECT execution_id AS "executionId", purpose, scope, round, state, response_id AS "responseId", total_tokens::float8 AS "totalTokens"
         FROM usage_log`,
    ),
    messages: await rows<MessageRow>(
      `SELECT id, session_id AS "sessionId", execution_id AS "executionId", turn_number AS "turnNumber", ordinal, role,
              content
         FROM chat_message ORDER BY session_id, turn_number, ordinal`,
    ),
    deliveries: await rows<DeliveryRow>(
      `SELECT id, tenant_id AS "tenantId", execution_id AS "executionId", type, body, status,
              attempt_count AS "attemptCount"
         FROM webhook_delivery`,
    ),
    claims: await rows<ClaimRow>(
      `SELECT execution_id AS "executionId", tenant_id AS "tenantId", attempt, owner, ${ms('at')} AS at
         FROM chaos.claim ORDER BY number`,
    ),
    tenantsWithEndpoint: (
      await rows<{ tenantId: string }>(
        `SELECT DISTINCT tenant_id AS "tenantId" FROM webhook_endpoint WHERE is_active`,
      )
    ).map((row) => row.tenantId),
  };
}
