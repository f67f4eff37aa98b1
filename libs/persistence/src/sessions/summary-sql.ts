import { fallbacksSql, LLM_OBJECT, WANTED_FALLBACKS } from '../executions/stored-context.js';
import { updateUsageSql, insertUsageSql } from '../executions/usage-rows.js';

/** $1 maximum orders, $2 milliseconds after which a job counts as lost. */
export const TAKE_SUMMARIES_SQL = `
  WITH due AS (
    SELECT session_id FROM session_summary_order
     WHERE due_at <= now() AND (lease_expires_at IS NULL OR lease_expires_at < now())
       AND (dispatched_at IS NULL OR dispatched_at < now() - $2 * interval '1 millisecond')
     ORDER BY due_at LIMIT $1 FOR UPDATE SKIP LOCKED
  )
  UPDATE session_summary_order SET dispatched_at = now() FROM due WHERE session_summary_order.session_id = due.session_id
  RETURNING session_summary_order.session_id AS "sessionId"`;

/** $1 session, $2 token, $3 milliseconds of the lease. The next try may begin when the lease has ended. */
export const CLAIM_SUMMARY_SQL = `
  WITH claimed AS (
    UPDATE session_summary_order
       SET tries = tries + 1, claim_token = $2, lease_expires_at = now() + $3 * interval '1 millisecond', dispatched_at = NULL
     WHERE session_id = $1 AND due_at <= now() AND (lease_expires_at IS NULL OR lease_expires_at < now())
    RETURNING *
  )
  SELECT claimed.session_id AS "sessionId", claimed.claim_token AS token, claimed.tenant_id AS "tenantId",
         execution.agent_id AS "agentId", claimed.execution_id AS "executionId", claimed.tries AS "tryNumber", claimed.model,
         coalesce(written.version, 0) + 1 AS version, session.engine_first_turn AS "firstTurn",
         CASE WHEN written.first_turn = session.engine_first_turn THEN written.content END AS previous,
         CASE WHEN written.first_turn = session.engine_first_turn THEN written.through_turn + 1
              ELSE session.engine_first_turn END AS "fromTurn",
         jsonb_build_object('messages', claimed.most_messages, 'tokens', claimed.most_tokens) AS budget,
         coalesce(agent.is_active AND llm.is_active AND tenant.status = 'active', false) AS "isUsable",
         CASE WHEN llm.id IS NOT NULL THEN ${LLM_OBJECT} END AS llm,
         ${fallbacksSql('claimed.tenant_id')} AS fallbacks
    FROM claimed
    JOIN chat_session session ON session.id = claimed.session_id
    JOIN execution ON execution.id = claimed.execution_id
    LEFT JOIN session_summary written ON written.session_id = claimed.session_id
    LEFT JOIN tenant ON tenant.id = claimed.tenant_id
    LEFT JOIN agent ON agent.id = execution.agent_id
    LEFT JOIN agent_version pinned
      ON pinned.agent_id = agent.id AND pinned.version = coalesce(execution.agent_version, agent.version)
    LEFT JOIN llm ON llm.id = pinned.llm_id${WANTED_FALLBACKS}`;

/** $1 session, $2 token, $3 agent, $4 JSON array of the row, $5 execution. */
export const ANNOUNCE_CALL_SQL = `
  WITH held AS (
    SELECT session_id, tenant_id FROM session_summary_order WHERE session_id = $1 AND claim_token = $2 FOR UPDATE
  ), spent AS (
    ${insertUsageSql({ of: 'held', execution: '$5::uuid', tenant: 'held.tenant_id', agent: '$3::int', session: 'held.session_id', rows: '$4' })}
  )
  SELECT session_id FROM held`;

/**
 * $1 session, $2 token, $3 execution, $4 row of the usage, $5 the first turn of the session as it was claimed, $6 the
 * summary as JSON, $7 whether more turns are to be summarized. The session is locked first, as in the transactions that
 * settle and delete. The usage is written even if the claim is lost.
 */
export const COMPLETE_SUMMARY_SQL = `
  WITH session AS (
    SELECT id, engine_first_turn FROM chat_session WHERE id = $1 FOR KEY SHARE
  ), held AS (
    SELECT ordered.session_id, ordered.tenant_id
      FROM session_summary_order ordered
      JOIN session ON session.id = ordered.session_id AND session.engine_first_turn = $5
     WHERE ordered.claim_token = $2 FOR UPDATE OF ordered
  ), written AS (
    INSERT INTO session_summary (session_id, tenant_id, first_turn, through_turn, version, content, tokens, model, written_at)
    SELECT held.session_id, held.tenant_id, $5, made.through_turn, made.version, made.content, made.tokens, made.model, now()
      FROM held, jsonb_to_record($6::jsonb)
           AS made (through_turn int, version int, content text, tokens int, model text)
    ON CONFLICT (session_id) DO UPDATE
      SET first_turn = excluded.first_turn, through_turn = excluded.through_turn, version = excluded.version,
          content = excluded.content, tokens = excluded.tokens, model = excluded.model, written_at = excluded.written_at
  ), ended AS (
    DELETE FROM session_summary_order ordered USING held WHERE ordered.session_id = held.session_id AND NOT $7::boolean
  ), goes_on AS (
    UPDATE session_summary_order ordered
       SET tries = 0, due_at = now(), claim_token = NULL, lease_expires_at = NULL, dispatched_at = NULL
      FROM held WHERE ordered.session_id = held.session_id AND $7::boolean
  ), spent AS (
    ${updateUsageSql({ execution: '$3::uuid', row: '$4' })}
  )
  SELECT session_id FROM held`;

/** $1 session, $2 token, $3 execution, $4 row of the usage or null, $5 milliseconds, null to give up. */
export const PUT_OFF_SUMMARY_SQL = `
  WITH ended AS (
    DELETE FROM session_summary_order WHERE session_id = $1 AND claim_token = $2 AND $5::float8 IS NULL
  ), later AS (
    UPDATE session_summary_order
       SET due_at = now() + $5::float8 * interval '1 millisecond', claim_token = NULL, lease_expires_at = NULL,
           dispatched_at = NULL
     WHERE session_id = $1 AND claim_token = $2 AND $5::float8 IS NOT NULL
  )
  ${updateUsageSql({ execution: '$3::uuid', row: '$4' })}`;
