import type { DataSource } from 'typeorm';
import type { UsageRecord } from '#libs/agent-core';
import type { StoredLlm } from '#libs/executions';
import { toStorableJson } from '#libs/kernel';
import { queryRows } from '../sql.js';
import { fallbacksSql, LLM_OBJECT, WANTED_FALLBACKS } from '../executions/stored-context.js';
import { insertUsageSql, toUsageRow } from '../executions/usage-rows.js';

/** A title that is due; its session is named after this execution. */
export interface DueTitle {
  readonly executionId: string;
}

export interface TitleDispatchOptions {
  /** Executions with a result that was just emitted: their titles are due at once. */
  readonly announced: readonly string[];
  /** Maximum jobs of one dispatch. */
  readonly limit: number;
  /** Milliseconds after which a job that no worker claimed counts as lost and is sent again. */
  readonly redispatchAfterMs: number;
}

/** Input of one try, which may call a model until its lease ends. */
export interface ClaimedTitle {
  readonly executionId: string;
  readonly sessionId: string;
  readonly tenantId: string;
  readonly agentId: number;
  /** Number of this try, from 1; it identifies the claim. */
  readonly tryNumber: number;
  /** Milliseconds since the first try, by the database's clock. */
  readonly elapsedMs: number;
  readonly input: string;
  readonly reply: string;
  /** Model of the tenant for titles, otherwise that of the execution; null if it was deleted. */
  readonly llm: StoredLlm | null;
  /** Active models that are asked while this one cannot be reached, in order. */
  readonly fallbacks: readonly StoredLlm[];
  /** First try that asks the first fallback; null while the model itself is asked. */
  readonly fallbackFrom: number | null;
  /** True where the tenant names a model for titles. */
  readonly isOfTenant: boolean;
}

/** A failed try of a worker that still holds its claim. */
export interface HeldTry {
  readonly tryNumber: number;
  /** True if the next tries ask the fallback. */
  readonly isModelAway: boolean;
}

/**
 * Pending titles of sessions (S4-41 … S4-43): a row waits until its session has a title, even if processes die. SQL, since
 * one statement claims a try with all that it needs, or writes the title together with its usage.
 */
export class SessionTitleStore {
  constructor(private readonly dataSource: DataSource) {}

  /** Marks due titles as sent to the queue and returns them. Several processes may do so at the same time. */
  async take({ announced, limit, redispatchAfterMs }: TitleDispatchOptions): Promise<DueTitle[]> {
    const rows = await queryRows<{ execution_id: string }>(this.dataSource, TAKE_SQL, [
      announced,
      limit,
      redispatchAfterMs,
      UNEMITTED_MS,
    ]);
    return rows.map(({ execution_id }) => ({ executionId: execution_id }));
  }

  /** Makes titles due again after their jobs could not be sent. */
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
   * Claims the next try for `leaseMs` milliseconds. Null if there is a title, the session was deleted, or another worker
   * holds the claim. `held` is the failed try of the caller.
   */
  async claim(executionId: string, leaseMs: number, held: HeldTry | null): Promise<ClaimedTitle | null> {
    const [row] = await queryRows<ClaimedTitle>(this.dataSource, CLAIM_SQL, [
      ...[executionId, leaseMs, held?.tryNumber ?? null, held?.isModelAway ?? false],
    ]);
    return row ?? null;
  }

  /** Sets the title of the session and records its usage. False if there is a title already, or the session was deleted. */
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

/** True where a title has been due and unclaimed for `forMs` milliseconds. */
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

/** Time in ms within which a settled result is emitted; after it a title is due even if it was not announced. */
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

/** A try that was begun counts, however it ended; the next one may begin when its lease has ended. */
const CLAIM_SQL = `
  WITH claimed AS (
    UPDATE session_title
       SET tries = tries + 1, first_tried_at = coalesce(first_tried_at, now()), dispatched_at = NULL,
           lease_expires_at = now() + $2 * interval '1 millisecond',
           fallback_from = coalesce(fallback_from, CASE WHEN $4::boolean AND tries = $3 THEN tries + 1 END)
     WHERE execution_id = $1 AND title IS NULL
       AND (lease_expires_at IS NULL OR lease_expires_at < now() OR tries = $3::int)
    RETURNING execution_id, session_id, tenant_id, tries, first_tried_at, fallback_from
  )
  SELECT claimed.execution_id AS "executionId", claimed.session_id AS "sessionId", claimed.tenant_id AS "tenantId",
         execution.agent_id AS "agentId", claimed.tries AS "tryNumber",
         claimed.fallback_from AS "fallbackFrom",
         (extract(epoch FROM now() - claimed.first_tried_at) * 1000)::float8 AS "elapsedMs",
         execution.request ->> 'input' AS input, coalesce(answer.content, '') AS reply,
         CASE WHEN llm.id IS NOT NULL THEN ${LLM_OBJECT} END AS llm,
         ${fallbacksSql('claimed.tenant_id')} AS fallbacks,
         coalesce(tenant.settings ->> 'title_llm' IS NOT NULL, false) AS "isOfTenant"
    FROM claimed
    LEFT JOIN tenant ON tenant.id = claimed.tenant_id
    JOIN execution ON execution.id = claimed.execution_id
    LEFT JOIN chat_message answer ON answer.id = execution.result_message_id
    LEFT JOIN agent ON agent.id = execution.agent_id
    LEFT JOIN agent_version pinned
      ON pinned.agent_id = agent.id AND pinned.version = coalesce(execution.agent_version, agent.version)
    LEFT JOIN llm ON llm.id = coalesce((tenant.settings ->> 'title_llm')::int, pinned.llm_id)
     AND llm.tenant_id = claimed.tenant_id${WANTED_FALLBACKS}`;

/** The session is locked first, as in the transactions that settle and delete. */
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
