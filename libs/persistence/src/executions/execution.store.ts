import { callName } from '#libs/agent-core';
import { Combiner } from '#libs/concurrency';
import type { DataSource } from 'typeorm';
import { ExecutionReader, type ExecutionEnding, type StoredRequest } from '#libs/executions';
import type { JsonObject, JsonValue } from '#libs/kernel';
import type {
  ExecutionStatus,
  ExecutionSummary,
  ExecutionView,
  ExecutionWithRequest,
  LateEvidence,
  RequestView,
  TakenDecision,
} from '#libs/payloads';
import { hasDoneNothing } from '../database-failure.js';
import { queryRows } from '../sql.js';
import { mapRows, readPage, type RowsOfPage } from '../rows/bounded-page.js';
import {
  EXECUTION_RESULT_SELECT,
  EXECUTION_SUMMARY_SELECT,
  EXECUTION_VIEW_SELECT,
  EXECUTION_WITH_REQUEST_SELECT,
  toExecutionView,
  toExecutionWithRequest,
  toListedExecution,
  toResultOf,
  type ExecutionResultRow,
  type ExecutionSummaryRow,
  type ExecutionViewRow,
} from './execution-view.mapper.js';
import { decisionsByCall, readDecisions } from './read-decisions.js';
import { listExecutionsQuery, type ExecutionFilter } from './list-executions.js';

/** A RunStep as the audit shows it. */
export interface RunStepView {
  readonly scope: string;
  readonly round: number;
  readonly position: number;
  readonly attempt: number;
  readonly call_id: string;
  readonly tool_name: string;
  readonly input: JsonValue;
  readonly sent_input: string | null;
  readonly output: JsonValue;
  readonly status: 'started' | 'skipped' | 'succeeded' | 'failed' | 'refused' | 'outcome_unknown';
  readonly error: string | null;
  readonly started_at: string;
  readonly finished_at: string | null;
  /** What attempts that might not write any more have seen of the call. */
  readonly late_evidence: readonly (LateEvidence & { readonly error: string | null })[];
  /** Decisions of people over the call, in their order. */
  readonly decisions: readonly TakenDecision[];
}

export interface RunStepPage {
  readonly after?: { readonly scope: string; readonly round: number; readonly position: number } | undefined;
  readonly limit: number;
}

/** The executions $2 of the tenants $1, each with its place among those asked for. */
const findTogetherSql = (select: string): string => `
  SELECT found.*, asked.place::int FROM unnest($1::text[], $2::uuid[]) WITH ORDINALITY AS asked (tenant_id, id, place)
   CROSS JOIN LATERAL (${select} WHERE e.tenant_id = asked.tenant_id AND e.id = asked.id) AS found`;

/** One execution that is asked for, and by whom. */
interface Asked {
  readonly tenantId: string;
  readonly id: string;
}

/** Reads executions of one tenant. */
export class ExecutionStore extends ExecutionReader {
  /** Clients poll and begin to follow many at the same time: those share a statement, whosever they are. */
  private readonly views = this.together<ExecutionViewRow>(EXECUTION_VIEW_SELECT);
  private readonly wholes = this.together<ExecutionViewRow & RequestView>(EXECUTION_WITH_REQUEST_SELECT);

  constructor(private readonly dataSource: DataSource) {
    super();
  }

  override async find(tenantId: string, id: string): Promise<ExecutionView | null> {
    const row = await this.views.call({ tenantId, id });
    return row && toExecutionView(row);
  }

  async findWithRequest(tenantId: string, id: string): Promise<ExecutionWithRequest | null> {
    const row = await this.wholes.call({ tenantId, id });
    return row && toExecutionWithRequest(row);
  }

  private together<Row>(select: string): Combiner<Asked, Row | null> {
    const sql = findTogetherSql(select);
    return new Combiner<Asked, Row | null>({
      runTogether: async (asked) => {
        const rows = await this.findRows<Row>(sql, asked);
        return rows.map((value) => ({ kind: 'done', value }));
      },
      runAlone: async (asked) => (await this.findRows<Row>(sql, [asked]))[0] ?? null,
      // What is refused for one of them is no fault of the others.
      mayRunAlone: hasDoneNothing,
      defer: setImmediate,
    });
  }

  /** One for each that is asked for, in that order; null where there is none. */
  private async findRows<Row>(sql: string, asked: readonly Asked[]): Promise<(Row | null)[]> {
    const found = await queryRows<Row & { readonly place: number }>(this.dataSource, sql, [
      asked.map(({ tenantId }) => tenantId),
      asked.map(({ id }) => id),
    ]);
    const byPlace = new Map(found.map((row) => [row.place, row]));
    return asked.map((_each, index) => byPlace.get(index + 1) ?? null);
  }

  /** As its last events have it: its result, and the title that its session got by it. */
  async findEnding(tenantId: string, id: string): Promise<ExecutionEnding | null> {
    const [row] = await queryRows<ExecutionResultRow & { readonly generated_title: string | null }>(
      this.dataSource,
      `${EXECUTION_RESULT_SELECT} WHERE e.tenant_id = $1 AND e.id = $2`,
      [tenantId, id],
    );
    return row ? { result: toResultOf(row), title: row.generated_title } : null;
  }

  /** Whether it has been settled for longer than `ms` milliseconds, by the clock that said when. */
  async hasSettledBefore(tenantId: string, id: string, ms: number): Promise<boolean> {
    const rows = await queryRows(
      this.dataSource,
      `SELECT 1 FROM execution WHERE tenant_id = $1 AND id = $2 AND finished_at < now() - $3 * interval '1 millisecond'`,
      [tenantId, id, ms],
    );
    return rows.length > 0;
  }

  override async findStatuses(ids: readonly string[]): Promise<ReadonlyMap<string, ExecutionStatus>> {
    const rows = await queryRows<{ readonly id: string; readonly status: ExecutionStatus }>(
      this.dataSource,
      'SELECT id, status FROM execution WHERE id = ANY($1::uuid[])',
      [ids],
    );
    return new Map(rows.map(({ id, status }) => [id, status]));
  }

  override async findRequest(tenantId: string, id: string): Promise<StoredRequest | null> {
    const [row] = await queryRows<StoredRequest>(
      this.dataSource,
      `SELECT agent_id AS "agentId", session_id AS "sessionId", status, request, metadata,
              (SELECT jsonb_build_object('url', url, 'events', events) FROM execution_webhook
                WHERE execution_id = execution.id) AS webhook
         FROM execution WHERE tenant_id = $1 AND id = $2`,
      [tenantId, id],
    );
    return row ?? null;
  }

  /** Without their answers, in the order of their ids, which is that of their acceptance. */
  async list(tenantId: string, filter: ExecutionFilter): Promise<RowsOfPage<ExecutionSummary>> {
    const query = listExecutionsQuery(EXECUTION_SUMMARY_SELECT, tenantId, filter);
    return mapRows(
      await readPage<ExecutionSummaryRow & RequestView>(this.dataSource, query),
      toListedExecution,
    );
  }

  /** Whether there is an index of the texts of inputs, which needs an extension of the database. */
  async canSearchInputs(): Promise<boolean> {
    const [row] = await queryRows<{ readonly has: boolean }>(
      this.dataSource,
      `SELECT to_regclass('execution_input_idx') IS NOT NULL AS has`,
    );
    return row?.has === true;
  }

  /** What the steps of its pipeline came to, by their names (S2-25), out of its journal. Null: no such execution. */
  async findWorkingMemory(tenantId: string, id: string): Promise<JsonObject | null> {
    const [row] = await queryRows<{ readonly working_memory: JsonObject }>(
      this.dataSource,
      `SELECT coalesce((
                SELECT jsonb_object_agg(data ->> 'step', data #> '{outcome,output}') FROM journal_entry
                 WHERE execution_id = execution.id AND kind = 'step_settled' AND scope = ''
                   AND data #>> '{outcome,status}' = 'succeeded'), '{}') AS working_memory
         FROM execution WHERE tenant_id = $1 AND id = $2`,
      [tenantId, id],
    );
    return row?.working_memory ?? null;
  }

  /** Those of the root first, then scope by scope; in the order of rounds and calls. */
  async listRunSteps(
    tenantId: string,
    executionId: string,
    { after, limit }: RunStepPage,
  ): Promise<RowsOfPage<RunStepView>> {
    const rows = await readPage<
      Omit<RunStepView, 'started_at' | 'finished_at' | 'decisions'> & {
        started_at: Date;
        finished_at: Date | null;
      }
    >(this.dataSource, {
      select: `SELECT scope, round, position, attempt, call_id, tool_name, input, sent_input, output, status, error,
              started_at, finished_at, (
                SELECT coalesce(jsonb_agg(jsonb_build_object('epoch', seen.epoch, 'status', seen.status,
                         'output', seen.output, 'error', seen.error, 'observed_at', seen.observed_at) ORDER BY seen.epoch), '[]')
                  FROM late_evidence seen
                 WHERE seen.execution_id = step.execution_id AND seen.scope = step.scope
                   AND seen.round = step.round AND seen.position = step.position
              ) AS late_evidence
         FROM run_step step
        WHERE tenant_id = $1 AND execution_id = $2 AND (scope COLLATE "C", round, position) > ($3::text COLLATE "C", $4::int, $5::int)`,
      parameters: [tenantId, executionId, after?.scope ?? '', after?.round ?? -1, after?.position ?? -1],
      orderBy: 'scope COLLATE "C", round, position',
      limit,
    });
    const decided = decisionsByCall(await readDecisions(this.dataSource, executionId));
    return mapRows(rows, (row) => ({
      ...row,
      decisions: decided.get(callName(row.scope, row)) ?? [],
      started_at: row.started_at.toISOString(),
      finished_at: row.finished_at?.toISOString() ?? null,
      late_evidence: row.late_evidence.map((seen) => ({
        ...seen,
        observed_at: new Date(seen.observed_at).toISOString(),
      })),
    }));
  }
}
