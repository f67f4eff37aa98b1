import type { EngineRuns } from '#libs/executions';
import { begunAttemptsSql } from './attempt-record.js';
import { isDueSql, isLostSql, lossesSql } from './due-execution.js';
import { HAS_SERVERS_SQL, ownParametersSql, ownSecondsSql } from '../knowledge/own-parameters.js';
import { leftUntilSql, needsEngineSql } from './engine-runs.js';
import { contextSql } from './stored-context.js';

const OWN = ownParametersSql(
  'e',
  `${ownSecondsSql('e', 'timeout_seconds')} AS timeout_ms, ${HAS_SERVERS_SQL} AS has_servers`,
);

const IS_CLAIMABLE = `((e.status = 'queued' AND ${isDueSql('e')}) OR ${isLostSql('e')})`;

/**
 * True if no fact was written since the latest lost attempt. An attempt that recorded its interrupted model call has
 * accounted for it.
 * @param e a row with `id` and `lost_epoch`
 */
const followsLostAttemptSql = (e: string): string => `(${e}.lost_epoch IS NOT NULL AND NOT EXISTS (
  SELECT 1 FROM journal_entry fact
   WHERE fact.execution_id = ${e}.id
     AND (fact.epoch > ${e}.lost_epoch
          OR (fact.epoch = ${e}.lost_epoch AND fact.kind = 'model_call_interrupted'))))`;

/** Whether the claimed executions $1 follow a lost attempt, with everything that it wrote before the claim. */
export const FOLLOWS_LOST_SQL = `
  SELECT e.id, ${followsLostAttemptSql('e')} AS follows_lost_attempt FROM execution e WHERE e.id = ANY($1::uuid[])`;

/** Same as the column's default; ids follow the order of turns, which run one at a time. */
const NEXT_MESSAGE_ID = `nextval('chat_message_id_seq')::int`;
/** Ids for the messages that the end of an execution stores. */
export const MESSAGE_IDS = `ARRAY[${NEXT_MESSAGE_ID}, ${NEXT_MESSAGE_ID}, ${NEXT_MESSAGE_ID}]`;

/**
 * Whether the statement's snapshot includes all facts. A previous holder may have written after the snapshot and before
 * the lock; such writes change only the journal, so status and epoch are compared.
 */
const HAS_STATE = `(judged.seen_status = 'queued' AND locked.status = 'queued' AND locked.epoch = judged.seen_epoch)`;

const FACTS = `CASE WHEN claimed.id IS NOT NULL AND ${HAS_STATE} THEN (
  SELECT jsonb_agg(jsonb_build_object('sequence', sequence, 'version', version, 'kind', kind, 'scope', scope, 'data', data)
                   ORDER BY sequence)
    FROM journal_entry WHERE execution_id = claimed.id) END`;

const CONTEXT = `CASE WHEN claimed.id IS NOT NULL AND ${HAS_STATE} THEN (SELECT to_jsonb(found) FROM (${contextSql('claimed')}) found) END`;

const STATE = `${HAS_STATE} AS has_state, ${CONTEXT} AS context, ${FACTS} AS facts`;
const NO_STATE = `false AS has_state`;

function isTakenSql(takes: EngineRuns['takes']): string {
  if (takes === 'any') return 'true';
  return `${takes === 'none' ? 'NOT ' : ''}${needsEngineSql('e', '$10::text[]')}`;
}

/**
 * Claims several executions. The first claim sets the deadline. An execution that needs tool servers starts only once its
 * attempt has reached them (`begin`); one that is only to be ended never starts.
 *
 * Parameters: executions, worker, lease in milliseconds, default time limit in milliseconds, isolated crashes that
 * poison, losses that make a suspect, and the tenant share; for each execution the token, and whether it can be isolated;
 * with `takes` other than `any` the providers with an engine, too.
 * Returns no row if there is nothing to run, and a row without `id` if the execution cannot run now or could not be
 * locked.
 *
 * Verdicts are computed before the rows are locked, and claimability is checked again on the locked rows. Executions that
 * are only to be ended (poisoned, cancelled or late) need neither isolation nor a slot. A tenant's executions fill its
 * free slots in the given order. The commit is asynchronous: every later write of the claim makes it durable.
 *
 * @param whenLocked `skip` for several: locked rows are skipped with `is_locked` false, and the initial state of attempts
 * is returned if its snapshot is complete. `wait` for one only, so that it waits while holding no other lock; it reads
 * only the columns of the claim, so that other faults of an execution are found by its attempt.
 * @param takes `none`: no run by an engine; `only`: runs by an engine; `any`: every run, and nothing is asked about it
 */
export const claimSql = (whenLocked: 'skip' | 'wait', takes: EngineRuns['takes']): string => `
  WITH asked AS MATERIALIZED (
    SELECT e.id, e.tenant_id, e.status AS seen_status, e.epoch AS seen_epoch,
           given.place_in_batch::int AS place_in_batch, e.isolated_deaths >= $5 AS is_poisoned,
           e.isolated_deaths >= $5 OR e.cancel_requested_at IS NOT NULL
             OR coalesce(e.deadline_at <= now(), false) AS is_to_be_ended,
           CASE e.status WHEN 'running' THEN ${lossesSql('e')} ELSE e.lost_attempts END AS losses,
           CASE WHEN e.status = 'running' AND e.attempt > 0 THEN e.epoch ELSE e.lost_epoch END AS lost_epoch,
           e.created_at, e.head_since, e.deadline_at, ${isTakenSql(takes)} AS is_taken,
           coalesce(own.timeout_ms, $4::float8) AS timeout_ms, coalesce(own.has_servers, false) AS has_servers
      FROM unnest($1::uuid[]) WITH ORDINALITY AS given (id, place_in_batch)
     CROSS JOIN LATERAL (SELECT * FROM execution WHERE execution.id = given.id OFFSET 0) e
      LEFT JOIN LATERAL ${OWN} own ON true
     WHERE ${IS_CLAIMABLE}
       AND NOT EXISTS (
         SELECT 1 FROM execution earlier
          WHERE earlier.session_id = e.session_id AND earlier.turn_number < e.turn_number
            AND earlier.status IN ('queued', 'running', 'requires_action') OFFSET 0)
  ), blamed AS MATERIALIZED (
    SELECT *, ($8::uuid[])[place_in_batch] AS token, losses >= $6 AND NOT is_to_be_ended AS is_suspect,
           NOT is_to_be_ended AND is_taken AND (losses < $6 OR ($9::boolean[])[place_in_batch]) AS needs_place
      FROM asked
  ), places AS MATERIALIZED (
    SELECT tenant AS tenant_id, places FROM places_left(ARRAY(SELECT DISTINCT tenant_id FROM blamed WHERE needs_place), $7::float8)
  ), judged AS MATERIALIZED (
    SELECT blamed.*, CASE WHEN is_taken THEN now() + (1 - random() / 2) * interval '1 second'
                          ELSE ${leftUntilSql('blamed')} END AS later,
           is_to_be_ended OR needs_place AND (places IS NULL OR places >=
             row_number() OVER (PARTITION BY tenant_id, needs_place ORDER BY place_in_batch)) AS may_run
      FROM blamed LEFT JOIN places USING (tenant_id)
  ), found AS MATERIALIZED (
    SELECT id, status, due_at, lease_expires_at, lost_attempts, attempt, epoch FROM execution
     WHERE id = ANY(ARRAY(SELECT id FROM judged))
     ORDER BY id FOR NO KEY UPDATE ${whenLocked === 'skip' ? 'SKIP LOCKED' : ''}
  ), locked AS MATERIALIZED (
    SELECT id, status, epoch FROM found e WHERE ${IS_CLAIMABLE}
  ), postponed AS (
    UPDATE execution e
       SET dispatched_at = NULL, due_at = judged.later
      FROM judged WHERE e.id = ANY(ARRAY(SELECT id FROM locked)) AND e.id = judged.id AND NOT judged.may_run
  ), claimed AS (
    UPDATE execution e
       SET status = 'running', attempt = attempt + 1, epoch = epoch + 1, claim_token = judged.token,
           lost_attempts = judged.losses, lost_epoch = judged.lost_epoch,
           lease_owner = $2, lease_expires_at = now() + $3 * interval '1 millisecond', dispatched_at = NULL, due_at = NULL,
           attempts = ${begunAttemptsSql('e', '$2::text')},
           started_at = CASE WHEN judged.has_servers OR judged.is_to_be_ended THEN started_at ELSE coalesce(started_at, now()) END,
           deadline_at = coalesce(e.deadline_at, now() + judged.timeout_ms * interval '1 millisecond')
      FROM judged WHERE e.id = ANY(ARRAY(SELECT id FROM locked)) AND e.id = judged.id AND judged.may_run
    RETURNING e.*
  )
  SELECT judged.id AS asked_id, locked.id IS NOT NULL AS is_locked, judged.is_poisoned, judged.is_suspect, judged.timeout_ms,
         claimed.id, claimed.tenant_id, claimed.agent_id, claimed.session_id, claimed.turn_number, claimed.attempt,
         claimed.isolated_deaths > 0 AS needs_fresh_process, claimed.epoch, claimed.claim_token, claimed.request, claimed.agent_version, claimed.created_at, claimed.started_at,
         claimed.restored_at, claimed.waiting_for,
         claimed.metadata, CASE WHEN claimed.id IS NOT NULL THEN ${MESSAGE_IDS} END AS message_ids,
         extract(epoch FROM claimed.deadline_at - now()) * 1000 AS remaining_ms,
         extract(epoch FROM clock_timestamp()) * 1000 AS claimed_at_ms,
         claimed.cancel_requested_at IS NOT NULL AS is_cancelled, ${followsLostAttemptSql('judged')} AS follows_lost_attempt,
         ${whenLocked === 'skip' ? STATE : NO_STATE}, set_config('synchronous_commit', 'off', true)
    FROM judged LEFT JOIN locked USING (id) LEFT JOIN claimed USING (id)`;
