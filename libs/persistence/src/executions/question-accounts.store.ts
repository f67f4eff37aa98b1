import { CallAccounts, type CallEnding } from '#libs/knowledge';
import type { DataSource } from 'typeorm';
import { queryRows } from '../sql.js';
import { embeddingRecord, insertUsageSql, toUsageRow } from './usage-rows.js';

/** Scope of an execution that runs a search. */
export interface AskingScope {
  readonly tenantId: string;
  readonly executionId: string;
  /** `''` for the execution's own loop. */
  readonly scope: string;
}

/** Maximum tries to get a call number in case of concurrent calls. */
const MAX_DRAWS = 20;

/** Embedding calls of questions, as rows of `usage_log` with the purpose `embedding`; `round` is the call number. */
export class QuestionAccounts extends CallAccounts {
  constructor(
    private readonly dataSource: DataSource,
    private readonly asking: AskingScope,
  ) {
    super();
  }

  override async open(model: string): Promise<number> {
    const { tenantId, executionId, scope } = this.asking;
    for (let draw = 0; draw < MAX_DRAWS; draw += 1) {
      const parameters = [executionId, scope, tenantId, model];
      const [row] = await queryRows<{ round: number }>(this.dataSource, OPEN_SQL, parameters);
      if (row !== undefined) return row.round;
    }
    throw new Error(`no number for a call of execution ${executionId}`);
  }

  override async close(call: number, ending: CallEnding): Promise<void> {
    const { executionId, scope } = this.asking;
    const record = toUsageRow({ ...embeddingRecord({ call, ...ending }), scope });
    await queryRows(this.dataSource, CLOSE_SQL, [executionId, scope, call, JSON.stringify(record)]);
  }
}

/** For a called agent, the fact that opened its scope holds the agent's id. */
const OPEN_SQL = `
  WITH asking AS (
    SELECT (SELECT session_id FROM execution WHERE id = $1) AS session_id,
           coalesce(
             (SELECT (data ->> 'agentId')::int FROM journal_entry
               WHERE execution_id = $1 AND scope = $2 AND kind = 'scope_opened' LIMIT 1),
             (SELECT agent_id FROM execution WHERE id = $1)) AS agent_id,
           (SELECT coalesce(max(round), 0) + 1 FROM usage_log
             WHERE execution_id = $1 AND scope = $2 AND purpose = 'embedding') AS number
  )
  ${insertUsageSql({
    of: 'asking',
    execution: '$1',
    tenant: '$3',
    agent: 'asking.agent_id',
    session: 'asking.session_id',
    rows: `jsonb_build_array(jsonb_build_object('scope', $2::text, 'purpose', 'embedding', 'round', asking.number,
      'try_number', 1, 'state', 'unknown', 'model', $4::text))`,
  })}
  RETURNING round`;

const CLOSE_SQL = `
  UPDATE usage_log
     SET state = ended.state, model = ended.model, input_tokens = ended.input_tokens,
         cached_input_tokens = ended.cached_input_tokens,
         cache_creation_5m_tokens = ended.cache_creation_5m_tokens,
         cache_creation_1h_tokens = ended.cache_creation_1h_tokens, output_tokens = ended.output_tokens,
         reasoning_tokens = ended.reasoning_tokens, total_tokens = ended.total_tokens, cost_usd = ended.cost_usd
    FROM jsonb_populate_record(NULL::usage_log, $4::jsonb) AS ended
   WHERE usage_log.execution_id = $1 AND usage_log.scope = $2 AND usage_log.purpose = 'embedding'
     AND usage_log.round = $3
  RETURNING usage_log.round`;
