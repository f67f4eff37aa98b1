import { isDueSql, isLostSql, lossesSql } from './due-execution.js';

const IS_CLAIMABLE = `((e.status = 'queued' AND ${isDueSql('e')}) OR ${isLostSql('e')})`;

/** While an execution waits for something that the service owes it, its own time does not run. */
const DEADLINE_AFTER_WAITING = (until: string): string =>
  `e.deadline_at + (${until} - coalesce(e.due_at, now()))`;

/** In the order in which options win; what is not a number was never checked, and counts as not given. */
const OWN_TIMEOUT_MS = `(
  SELECT coalesce(${[
    "e.request #> '{options,timeout_seconds}'",
    "version.config -> 'timeout_seconds'",
    "llm.extra -> 'timeout_seconds'",
  ]
    .map((given) => `CASE jsonb_typeof(${given}) WHEN 'number' THEN (${given})::float8 END`)
    .join(', ')}) * 1000
    FROM agent
    JOIN agent_version version ON version.agent_id = agent.id AND version.version = coalesce(e.agent_version, agent.version)
    JOIN llm ON llm.id = version.llm_id
   WHERE agent.id = e.agent_id)`;

const TIMEOUT_MS = `coalesce(${OWN_TIMEOUT_MS}, $4::float8)`;

/**
 * Nobody has written since the attempt that was lost last. One that gave its model call up and could still say so has
 * accounted for it itself.
 */
const FOLLOWS_LOST_ATTEMPT = `(judged.lost_epoch IS NOT NULL AND NOT EXISTS (
  SELECT 1 FROM journal_entry fact
   WHERE fact.execution_id = judged.id
     AND (fact.epoch > judged.lost_epoch
          OR (fact.epoch = judged.lost_epoch AND fact.kind = 'model_call_interrupted'))))`;

/** As the column itself draws it: in the order of the turns of a session, which run one by one. */
const NEXT_MESSAGE_ID = `nextval('chat_message_id_seq')::int`;

/**
 * Parameters: execution, worker, milliseconds of the lease, milliseconds to the deadline where neither request nor agent
 * says, deaths in isolation that are enough, losses that make a suspect, whether there is room to isolate one, the
 * tenant's share, the token. Answers no row when there is nothing to run, and one without a token when it cannot run now.
 *
 * The verdict is reached before the row is locked, and whether it may be claimed is judged again on the locked row. What is
 * to be ended only, poisoned, cancelled or late, needs neither isolation nor a place.
 */
export const CLAIM_SQL = `
  WITH asked AS (
    SELECT e.id, e.tenant_id, e.isolated_deaths >= $5 AS is_poisoned, e.cancel_requested_at IS NOT NULL AS is_cancelled,
           coalesce(${DEADLINE_AFTER_WAITING('now()')} <= now(), false) AS is_late,
           CASE e.status WHEN 'running' THEN ${lossesSql('e')} ELSE e.lost_attempts END AS losses,
           CASE e.status WHEN 'running' THEN e.epoch ELSE e.lost_epoch END AS lost_epoch
      FROM execution e
     WHERE e.id = $1 AND ${IS_CLAIMABLE}
       AND NOT EXISTS (
         SELECT 1 FROM execution earlier
          WHERE earlier.session_id = e.session_id AND earlier.turn_number < e.turn_number
            AND earlier.status IN ('queued', 'running', 'requires_action'))
  ), judged AS MATERIALIZED (
    SELECT asked.id, losses, lost_epoch, is_poisoned,
           losses >= $6 AND NOT is_poisoned AND NOT is_cancelled AND NOT is_late AS is_suspect,
           CASE WHEN is_poisoned OR is_cancelled OR is_late THEN true
                WHEN losses >= $6 AND NOT $7::boolean THEN false
                ELSE has_place(tenant_id, $8::float8) END AS may_run
      FROM asked
  ), postponed AS (
    UPDATE execution e
       SET dispatched_at = NULL, due_at = later.due_at, deadline_at = ${DEADLINE_AFTER_WAITING('later.due_at')}
      FROM judged, (SELECT now() + (1 - random() / 2) * interval '1 second' AS due_at) later
     WHERE e.id = judged.id AND NOT judged.may_run AND ${IS_CLAIMABLE}
  ), claimed AS (
    UPDATE execution e
       SET status = 'running', attempt = attempt + 1, epoch = epoch + 1, claim_token = $9,
           lost_attempts = judged.losses, lost_epoch = judged.lost_epoch,
           lease_owner = $2, lease_expires_at = now() + $3 * interval '1 millisecond', dispatched_at = NULL, due_at = NULL,
           started_at = coalesce(started_at, now()),
           deadline_at = coalesce(${DEADLINE_AFTER_WAITING('now()')},
                                  now() + ${TIMEOUT_MS} * interval '1 millisecond')
      FROM judged
     WHERE e.id = judged.id AND judged.may_run AND ${IS_CLAIMABLE}
    RETURNING e.*, ${TIMEOUT_MS} AS timeout_ms
  )
  SELECT judged.is_poisoned, judged.is_suspect, claimed.id, claimed.tenant_id, claimed.agent_id, claimed.session_id,
         claimed.turn_number, claimed.attempt, claimed.epoch, claimed.claim_token, claimed.request,
         claimed.agent_version, claimed.created_at, claimed.started_at, claimed.metadata,
         ARRAY[${NEXT_MESSAGE_ID}, ${NEXT_MESSAGE_ID}, ${NEXT_MESSAGE_ID}] AS message_ids,
         extract(epoch FROM claimed.deadline_at - now()) * 1000 AS remaining_ms,
         claimed.timeout_ms, extract(epoch FROM clock_timestamp()) * 1000 AS claimed_at_ms,
         claimed.cancel_requested_at IS NOT NULL AS is_cancelled, ${FOLLOWS_LOST_ATTEMPT} AS follows_lost_attempt
    FROM judged LEFT JOIN claimed ON true
   WHERE claimed.id IS NOT NULL OR NOT judged.may_run`;
