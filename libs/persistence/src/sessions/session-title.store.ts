import type { DataSource } from 'typeorm';
import type { UsageRecord } from '#libs/agent-core';
import type { StoredLlm } from '#libs/executions';
import { toStorableJson } from '#libs/kernel';
import { queryRows } from '../sql.js';
import { LLM_OBJECT } from '../executions/stored-context.js';
import { insertUsageSql, toUsageRow } from '../executions/usage-rows.js';

/** A title that is due, by the execution that its session is named after. */
export interface DueTitle {
  readonly executionId: string;
}

export interface TitleDispatchOptions {
  /** Executions whose result was just emitted: their titles are due at once. */
  readonly announced: readonly string[];
  /** How many jobs one dispatch sends at most. */
  readonly limit: number;
  /** A job that nobody claimed for so long is taken for lost and sent again. */
  readonly redispatchAfterMs: number;
}

/** What one try needs; whoever holds it may ask a model until its lease ends. */
export interface ClaimedTitle {
  readonly executionId: string;
  readonly sessionId: string;
  readonly tenantId: string;
  readonly agentId: number;
  /** Which try this is, from 1; names the claim. */
  readonly tryNumber: number;
  /** Milliseconds since the first try, by the database's clock. */
  readonly elapsedMs: number;
  readonly input: string;
  readonly reply: string;
  /** The model that the tenant names for titles, else that of the execution; null when it is gone. */
  readonly llm: StoredLlm | null;
  /** Whether the tenant names a model for titles. */
  readonly isOfTenant: boolean;
}

/** The titles that sessions are still to get (S4-41 … S4-43): a row waits for each until it has one, whoever dies. */
export class SessionTitleStore {
  constructor(private readonly dataSource: DataSource) {}

  /** Marks what is due as sent to the queue and answers it. Any number of processes may do so at once. */
  async take({ announced, limit, redispatchAfterMs }: TitleDispatchOptions): Promise<DueTitle[]> {
    const rows = await queryRows<{ execution_id: string }>(this.dataSource, TAKE_SQL, [
      announced,
      limit,
      redispatchAfterMs,
      UNEMITTED_MS,
    ]);
    return rows.map(({ execution_id }) => ({ executionId: execution_id }));
  }

  /** Their jobs could not be sent. */
  async requeue(due: readonly DueTitle[]): Promise<void> {
    const ids = due.map(({ executionId }) => executionId);
    await queryRows(
      this.dataSource,
      `UPDATE session_title SET dispatched_at = NULL WHERE execution_id = ANY($1::uuid[]) AND title IS NULL
        RETURNING execution_id`,
      [ids],
    );
  }

  /**
   * Takes the next try for `leaseMs`. Null when there is nothing to do: there is a title, the session is gone, or somebody
   * else is at it. `heldTry` is the try that the caller holds and has made in vain.
   */
  async claim(executionId: string, leaseMs: number, heldTry: number | null): Promise<ClaimedTitle | null> {
    const [row] = await queryRows<ClaimedTitle>(this.dataSource, CLAIM_SQL, [executionId, leaseMs, heldTry]);
    return row ?? null;
  }

  /** Gives the session its title, and records what it has cost. False when it has got one meanwhile, or is gone. */
  async finish(
    { executionId, tenantId, agentId }: ClaimedTitle,
    title: string,
    usage: readonly UsageRecord[],
  ): Promise<boolean> {
    const [row] = await queryRows<{ is_titled: boolean }>(this.dataSource, FINISH_SQL, [
      executionId,
      title,
      tenantId,
      agentId,
      JSON.stringify(toStorableJson(usage.map(toUsageRow))),
    ]);
    return row?.is_titled ?? false;
  }
}

/** Whether a title could have been asked for so long, and was not. */
export async function isTitleOverdue(
  manager: Pick<DataSource, 'query'>,
  { forMs }: { readonly forMs: number },
): Promise<boolean> {
  const rows = await queryRows(
    manager,
    `SELECT 1 FROM session_title
      WHERE title IS NULL AND created_at < now() - $1 * interval '1 millisecond'
        AND coalesce(lease_expires_at, created_at) < now() - $1 * interval '1 millisecond' LIMIT 1`,
    [forMs],
  );
  return rows.length > 0;
}

/** Whoever settles emits the result within this time; then its title is due whether that was announced or not. */
const UNEMITTED_MS = 5_000;

const TAKE_SQL = `
  WITH due AS (
    SELECT session_id FROM session_title
     WHERE title IS NULL AND (lease_expires_at IS NULL OR lease_expires_at < now())
       AND CASE WHEN dispatched_at IS NOT NULL THEN dispatched_at < now() - $3 * interval '1 millisecond'
                ELSE execution_id = ANY($1::uuid[]) OR created_at < now() - $4 * interval '1 millisecond' END
     ORDER BY created_at LIMIT $2 FOR UPDATE SKIP LOCKED
  )
  UPDATE session_title SET dispatched_at = now() FROM due WHERE session_title.session_id = due.session_id
  RETURNING session_title.execution_id`;

/** A try that was begun counts, whatever became of it; a lease that has ended makes room for the next one. */
const CLAIM_SQL = `
  WITH claimed AS (
    UPDATE session_title
       SET tries = tries + 1, first_tried_at = coalesce(first_tried_at, now()), dispatched_at = NULL,
           lease_expires_at = now() + $2 * interval '1 millisecond'
     WHERE execution_id = $1 AND title IS NULL
       AND (lease_expires_at IS NULL OR lease_expires_at < now() OR tries = $3::int)
    RETURNING execution_id, session_id, tenant_id, tries, first_tried_at
  )
  SELECT claimed.execution_id AS "executionId", claimed.session_id AS "sessionId", claimed.tenant_id AS "tenantId",
         execution.agent_id AS "agentId", claimed.tries AS "tryNumber",
         (extract(epoch FROM now() - claimed.first_tried_at) * 1000)::float8 AS "elapsedMs",
         execution.request ->> 'input' AS input, coalesce(answer.content, '') AS reply,
         CASE WHEN llm.id IS NOT NULL THEN ${LLM_OBJECT} END AS llm,
         coalesce(tenant.settings ->> 'title_llm' IS NOT NULL, false) AS "isOfTenant"
    FROM claimed
    LEFT JOIN tenant ON tenant.id = claimed.tenant_id
    JOIN execution ON execution.id = claimed.execution_id
    LEFT JOIN chat_message answer ON answer.id = execution.result_message_id
    LEFT JOIN agent ON agent.id = execution.agent_id
    LEFT JOIN agent_version pinned
      ON pinned.agent_id = agent.id AND pinned.version = coalesce(execution.agent_version, agent.version)
    LEFT JOIN llm ON llm.id = coalesce((tenant.settings ->> 'title_llm')::int, pinned.llm_id)
     AND llm.tenant_id = claimed.tenant_id`;

/** The session is locked first, as by everybody who settles or deletes. */
const FINISH_SQL = `
  WITH session AS (
    SELECT id FROM chat_session WHERE id = (SELECT session_id FROM session_title WHERE execution_id = $1)
       FOR NO KEY UPDATE
  ), titled AS (
    UPDATE session_title SET title = $2, lease_expires_at = NULL FROM session
     WHERE session_title.session_id = session.id AND session_title.title IS NULL
    RETURNING session_title.session_id
  ), named AS (
    UPDATE chat_session SET title = $2 FROM titled WHERE chat_session.id = titled.session_id RETURNING chat_session.id
  ), spent AS (
    ${insertUsageSql({ execution: '$1', tenant: '$3', agent: '$4', session: '(SELECT id FROM session)', rows: '$5' })}
  )
  SELECT EXISTS (SELECT 1 FROM named) AS is_titled`;
