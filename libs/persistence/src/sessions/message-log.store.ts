import type { DataSource } from 'typeorm';
import {
  factMessage,
  initMessage,
  resultMessage,
  ROOT,
  userMessage,
  type JournalEntry,
  type LogMessage,
  type ScopeOfMessage,
} from '#libs/agent-core';
import type { JsonObject } from '#libs/kernel';
import { PLANNED_ANEW } from '../plan-settings.js';
import { queryRows } from '../sql.js';
import { mapRows, readPage, type RowsOfPage } from '../rows/bounded-page.js';
import {
  EXECUTION_RESULT_SELECT,
  toResultOf,
  type ExecutionResultRow,
} from '../executions/execution-view.mapper.js';
import { readFact } from '../executions/read-journal.js';

/** A message as S4's log shows it. */
export interface LogMessageView {
  /** Number from 1, without gaps; it never changes once it was read. */
  readonly message_seq: number;
  readonly message_type: LogMessage['type'];
  readonly message_subtype: string | null;
  readonly content: JsonObject;
  readonly timestamp: string;
  readonly execution_id: string;
  readonly turn_number: number;
}

export interface LogPage {
  readonly afterSequence?: number | undefined;
  readonly limit: number;
}

type Part = 'user' | 'init' | 'fact' | 'result';

interface LogRow {
  readonly message_seq: number;
  readonly part: Part;
  readonly execution_id: string;
  readonly turn_number: number;
  readonly at: Date;
  /** Text of the user; null for other parts. */
  readonly input: string | null;
  readonly engine_session_id: string | null;
  /** Sequence of its fact in the journal. */
  readonly sequence: number;
  /** Id that the model gave the call, for the result of a tool; otherwise null. */
  readonly call_id: string | null;
  /** Scope of a fact; `''` is the execution's own loop. */
  readonly scope: string | null;
  /** Id that the caller's model gave the call of the agent, for a fact of an agent inside; otherwise null. */
  readonly parent_call_id: string | null;
  readonly version: number | null;
  readonly kind: string | null;
  readonly data: object | null;
}

/**
 * Reads the log of a conversation (S4) as a projection of the journals of its executions. SQL, since messages are numbered
 * over four kinds of rows before the page is cut.
 */
export class MessageLogStore {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * Lists the messages of every execution, also failed ones, in order: input of the user, beginning of an engine session,
   * answers and results of tools, result. Messages of agents inside stand where they happened, with their scope and the
   * call that they work for. An execution appears when it and all before it have ended, so that numbers never change.
   */
  async list(tenantId: string, sessionId: string, page: LogPage): Promise<RowsOfPage<LogMessageView>> {
    const rows = await readPage<LogRow>(this.dataSource, {
      select: LOG_SQL,
      parameters: [tenantId, sessionId, page.afterSequence ?? 0],
      orderBy: 'message_seq',
      limit: page.limit,
    });
    const results = await this.resultsOf(rows.rows);
    return mapRows(rows, (row) => {
      const { type, subtype, content } = toMessage(row, results);
      return {
        message_seq: row.message_seq,
        message_type: type,
        message_subtype: subtype,
        content,
        timestamp: row.at.toISOString(),
        execution_id: row.execution_id,
        turn_number: row.turn_number,
      };
    });
  }

  private async resultsOf(rows: readonly LogRow[]): Promise<ReadonlyMap<string, LogMessage>> {
    const ids = rows.filter(({ part }) => part === 'result').map(({ execution_id }) => execution_id);
    if (ids.length === 0) return new Map();
    const found = await queryRows<ExecutionResultRow>(
      this.dataSource,
      `${EXECUTION_RESULT_SELECT} WHERE e.id = ANY($1::uuid[])`,
      [ids],
    );
    return new Map(found.map((row) => [row.id, resultMessage(toResultOf(row))]));
  }
}

function toMessage(row: LogRow, results: ReadonlyMap<string, LogMessage>): LogMessage {
  switch (row.part) {
    case 'user':
      return userMessage(row.input ?? '');
    case 'init':
      return initMessage(row.engine_session_id ?? '');
    case 'fact':
      return known(factMessage(toEntry(row), row.call_id ?? 'unknown', parentOf(row)));
    case 'result':
      return known(results.get(row.execution_id) ?? null);
  }
}

function parentOf({ scope, parent_call_id }: LogRow): ScopeOfMessage | null {
  if (scope === null || scope === ROOT) return null;
  return { scope, parent_tool_use_id: parent_call_id ?? 'unknown' };
}

function toEntry({ sequence, version, kind, data }: LogRow): JournalEntry {
  return readFact({ sequence, version: version ?? 0, kind: kind ?? '', data: data ?? {} });
}

/** Throws for a row without a message: the statement selects only facts that have one. */
function known(message: LogMessage | null): LogMessage {
  if (message === null) throw new Error('a message of the log has nothing to show');
  return message;
}

/**
 * Messages are numbered by index scans; the data of facts is read for the rows of the page only. The last facts are stored
 * with the ending, shortly after its time, which limits theirs.
 */
const LOG_SQL = `${PLANNED_ANEW}
  WITH line AS (
    SELECT id, turn_number, created_at, started_at, finished_at, engine_session_id FROM execution
     WHERE tenant_id = $1 AND session_id = $2
       AND turn_number < coalesce((SELECT min(turn_number) FROM execution
            WHERE session_id = $2 AND status IN ('queued', 'running', 'requires_action')), 2147483647)
  ), part AS (
    SELECT id, turn_number, 0 AS place, 0 AS sequence, 'user' AS part, created_at AS at FROM line
    UNION ALL
    SELECT id, turn_number, 1, 0, 'init', coalesce(started_at, created_at) FROM line WHERE engine_session_id = id::text
    UNION ALL
    SELECT line.id, turn_number, 2, entry.sequence, 'fact', least(entry.created_at, line.finished_at)
      FROM line JOIN journal_entry entry ON entry.execution_id = line.id
     WHERE entry.kind IN ('model_call_completed', 'step_begun', 'tool_call_settled')
    UNION ALL
    SELECT id, turn_number, 3, 0, 'result', coalesce(finished_at, created_at) FROM line
  ), numbered AS (
    SELECT part.*, (row_number() OVER (ORDER BY turn_number, place, sequence))::int AS message_seq FROM part
  )
  SELECT numbered.message_seq, numbered.part, numbered.id AS execution_id, numbered.turn_number, numbered.at,
         CASE WHEN numbered.part = 'user' THEN execution.request ->> 'input' END AS input,
         execution.engine_session_id, numbered.sequence, fact.version, fact.kind, fact.data,
         CASE WHEN fact.kind = 'tool_call_settled' THEN (
           SELECT step.call_id FROM run_step step
            WHERE step.execution_id = fact.execution_id AND step.round = (fact.data ->> 'round')::int
              AND step.position = (fact.data ->> 'position')::int
              AND step.scope = fact.scope)
         END AS call_id,
         fact.scope, CASE WHEN fact.scope <> '' THEN (
           SELECT opening.call_id FROM run_step opening
            WHERE opening.execution_id = fact.execution_id
              AND opening.scope = regexp_replace(fact.scope, '/?[^/]+$', '')
              AND opening.round || '.' || opening.position = substring(fact.scope FROM '[^/]+$'))
         END AS parent_call_id
    FROM numbered
    JOIN execution ON execution.id = numbered.id
    LEFT JOIN journal_entry fact
      ON numbered.part = 'fact' AND fact.execution_id = numbered.id AND fact.sequence = numbered.sequence
   WHERE numbered.message_seq > $3::int`;
