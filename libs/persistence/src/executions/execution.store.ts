import { BatchExecutor } from '#libs/concurrency';
import type { DataSource } from 'typeorm';
import { ExecutionReader, type ExecutionEnding, type StoredRequest } from '#libs/executions';
import type { JsonObject } from '#libs/kernel';
import type {
  ExecutionStatus,
  ExecutionSummary,
  ExecutionView,
  ExecutionWithRequest,
  RequestView,
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
import { listExecutionsQuery, type ExecutionFilter } from './list-executions.js';

/**
 * Executions $2 of tenants $1, each with its position in the request. `OFFSET 0` keeps the lookup by id: a plan that was
 * kept from an empty table would read all rows.
 */
const findTogetherSql = (select: string): string => `
  SELECT found.*, asked.place::int FROM unnest($1::text[], $2::uuid[]) WITH ORDINALITY AS asked (tenant_id, id, place)
   CROSS JOIN LATERAL (${select} WHERE e.tenant_id = asked.tenant_id AND e.id = asked.id OFFSET 0) AS found`;

/** Tenant and id of one requested execution. */
interface Asked {
  readonly tenantId: string;
  readonly id: string;
}

/**
 * Reads executions of one tenant. SQL, since one statement answers many callers, or puts an execution together with its
 * message, its title and facts of its journal.
 */
export class ExecutionStore extends ExecutionReader {
  /** Many clients poll and start following at the same time; their reads share a statement across tenants. */
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

  private together<Row>(select: string): BatchExecutor<Asked, Row | null> {
    const sql = findTogetherSql(select);
    return new BatchExecutor<Asked, Row | null>({
      runTogether: async (asked) => {
        const rows = await this.findRows<Row>(sql, asked);
        return rows.map((value) => ({ kind: 'done', value }));
      },
      runAlone: async (asked) => (await this.findRows<Row>(sql, [asked]))[0] ?? null,
      // A failed batch is repeated one by one, so that one bad read does not fail the others.
      mayRunAlone: hasDoneNothing,
      defer: setImmediate,
    });
  }

  /** One row per request, in order; null for a missing execution. */
  private async findRows<Row>(sql: string, asked: readonly Asked[]): Promise<(Row | null)[]> {
    const found = await queryRows<Row & { readonly place: number }>(this.dataSource, sql, [
      asked.map(({ tenantId }) => tenantId),
      asked.map(({ id }) => id),
    ]);
    const byPlace = new Map(found.map((row) => [row.place, row]));
    return asked.map((_each, index) => byPlace.get(index + 1) ?? null);
  }

  /** Result and generated title, as the last events report them. */
  async findEnding(tenantId: string, id: string): Promise<ExecutionEnding | null> {
    const [row] = await queryRows<ExecutionResultRow & { readonly generated_title: string | null }>(
      this.dataSource,
      `${EXECUTION_RESULT_SELECT} WHERE e.tenant_id = $1 AND e.id = $2`,
      [tenantId, id],
    );
    return row ? { result: toResultOf(row), title: row.generated_title } : null;
  }

  /** Whether the execution settled more than `ms` milliseconds ago, by the database's clock. */
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

  /** Without answers, ordered by id, i.e. by acceptance. */
  async list(tenantId: string, filter: ExecutionFilter): Promise<RowsOfPage<ExecutionSummary>> {
    const query = listExecutionsQuery(EXECUTION_SUMMARY_SELECT, tenantId, filter);
    return mapRows(
      await readPage<ExecutionSummaryRow & RequestView>(this.dataSource, query),
      toListedExecution,
    );
  }

  /** True if texts of inputs are indexed, which needs the extension `pg_trgm`. */
  async canSearchInputs(): Promise<boolean> {
    const [row] = await queryRows<{ readonly has: boolean }>(
      this.dataSource,
      `SELECT to_regclass('execution_input_idx') IS NOT NULL AS has`,
    );
    return row?.has === true;
  }

  /** Outputs of its pipeline's steps by name (S2-25), from the journal. Null if there is no such execution. */
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
}
