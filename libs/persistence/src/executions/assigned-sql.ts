import type { Offers } from '#libs/executions';
import { HAS_SERVERS_SQL, ownParametersSql, ownSecondsSql } from '../knowledge/own-parameters.js';
import { contextSql } from './stored-context.js';
import { isUntakenSql } from './due-execution.js';
import { MESSAGE_IDS } from './claim-sql.js';

/** Lease of an execution until its worker takes it. */
const UNTAKEN_LEASE = `interval '1 second'`;

/** Offers of workers for executions that are claimed as they are accepted. */
export interface Assigning {
  readonly offers: Offers;
  /** Default time from the claim to the deadline, in milliseconds. */
  readonly deadlineMs: number;
}

/** Placeholders of {@link Assigning}. */
export interface BoundOffers {
  readonly items: string;
  readonly free: string;
  readonly deadlineMs: string;
}

export function bindOffers(
  { offers: { items, free }, deadlineMs }: Assigning,
  bind: (value: unknown) => string,
): BoundOffers {
  const rows = items.map(({ workerId, token }) => ({ worker: workerId, token }));
  return {
    items: `${bind(JSON.stringify(rows))}::jsonb`,
    free: `${bind(free)}::int`,
    deadlineMs: `${bind(deadlineMs)}::float8`,
  };
}

/** Offers of workers that are present and take work: `worker`, `token`, and `place` from 1. */
const offersSql = ({ items }: BoundOffers): string => `(
  SELECT given.worker, given.token, given.place
    FROM ROWS FROM (jsonb_to_recordset(${items}) AS (worker text, token uuid)) WITH ORDINALITY AS given (worker, token, place)
   WHERE EXISTS (SELECT 1 FROM worker WHERE worker.id = given.worker AND worker.draining_since IS NULL))`;

/**
 * Time limit and tool servers of an execution that takes an offer.
 * @param e a row with `agent_id`, `agent_version` and `request`
 */
const claimedBySql = (e: string): string =>
  ownParametersSql(
    e,
    `${ownSecondsSql(e, 'timeout_seconds')} AS timeout_ms, ${HAS_SERVERS_SQL} AS has_servers`,
  );

/** Placeholders of the limits of a dispatch; `all` as arguments of `room_of_accepted`. */
export interface BoundLimits {
  readonly queueTarget: string;
  readonly all: string;
}

/**
 * True if a slot is free for the execution after all that were sent and not claimed yet, and those before it here.
 * @param place its place among the executions of the statement, from 1
 */
const hasSlot = (place: string, { queueTarget }: BoundLimits, { free }: BoundOffers): string =>
  `${queueTarget} - room.of_all + ${place} <= ${free}`;

/** Whether an execution that is accepted by itself may be sent, or take an offer. */
export const HAS_JOB = 'room.jobs > 0 AND room.of_all > 0';

/** The offer that an execution which is accepted by itself takes, if it takes one, as a join with the row `room`. */
export const takenAlone = (
  {
    agentId,
    version,
    request,
  }: { readonly agentId: string; readonly version: string; readonly request: string },
  limits: BoundLimits,
  offers: BoundOffers,
): string => `LEFT JOIN LATERAL (
    SELECT offer.worker, offer.token, own.timeout_ms, own.has_servers
      FROM ${offersSql(offers)} offer
     CROSS JOIN (SELECT ${agentId} AS agent_id, ${version} AS agent_version, ${request} AS request) asked
      LEFT JOIN LATERAL ${claimedBySql('asked')} own ON true
     WHERE offer.place = 1 AND ${HAS_JOB} AND ${hasSlot('1', limits, offers)}
  ) taken ON true`;

/**
 * Executions of `item` that take an offer: those with room for a job, in order.
 * @param version SQL expression of the version of its agent
 */
export const takenByMany = (
  version: string,
  limits: BoundLimits,
  offers: BoundOffers,
): string => `, taken AS MATERIALIZED (
    SELECT item.id, offer.worker, offer.token, own.timeout_ms, own.has_servers
      FROM ${offersSql(offers)} offer
      JOIN placed ON placed.of_all = offer.place
      JOIN item ON item.id = placed.id
      JOIN room ON room.tenant_id = item.tenant_id
     CROSS JOIN LATERAL (
       SELECT item.agent_id, ${version} AS agent_version, item.request
     ) asked
      LEFT JOIN LATERAL ${claimedBySql('asked')} own ON true
     WHERE placed.of_tenant <= room.jobs AND placed.of_all <= room.of_all AND ${hasSlot('placed.of_all', limits, offers)}
  )`;

/** Columns of a new execution that depend on whether it takes an offer. */
export const CLAIMED_COLUMNS =
  'status, epoch, claim_token, lease_owner, lease_expires_at, started_at, deadline_at';

/**
 * Values of {@link CLAIMED_COLUMNS}, as the claim of a worker sets them; the attempt begins when the worker takes it.
 * @param taken a row with the offer and {@link claimedBySql}, or of nulls
 */
export function claimedValues(taken: string, { deadlineMs }: BoundOffers): string {
  const ifTaken = (value: string, otherwise = 'NULL'): string =>
    `CASE WHEN ${taken}.token IS NULL THEN ${otherwise} ELSE ${value} END`;
  return [
    ifTaken(`'running'`, `'queued'`),
    ifTaken('1', '0'),
    `${taken}.token`,
    `${taken}.worker`,
    ifTaken(`now() + ${UNTAKEN_LEASE}`),
    // An execution that needs tool servers starts only once its attempt has reached them.
    `CASE WHEN ${taken}.token IS NOT NULL AND ${taken}.has_servers IS NOT TRUE THEN now() END`,
    ifTaken(`now() + coalesce(${taken}.timeout_ms, ${deadlineMs}) * interval '1 millisecond'`),
  ].join(', ');
}

/**
 * `held`: the executions $1 that are claimed under the tokens $2 and were not taken, locked in id order. The conditions are
 * checked on the locked rows, so that an update finds them by their ids alone and reads no index of running executions.
 */
const heldSql = (isOfWorker = 'true'): string => `found AS MATERIALIZED (
    SELECT id, status, attempt, claim_token, lease_owner FROM execution
     WHERE id = ANY($1::uuid[]) ORDER BY id FOR NO KEY UPDATE
  ), held AS MATERIALIZED (
    SELECT found.id FROM found JOIN unnest($1::uuid[], $2::uuid[]) AS asked (id, token) USING (id)
     WHERE found.claim_token = asked.token AND ${isUntakenSql('found')} AND ${isOfWorker}
  )`;

/**
 * Takes assignments, as {@link ClaimRow}: the executions $1 under the tokens $2, by the worker $3 with a lease of $4 ms.
 * None of the written columns is part of an index. The commit is asynchronous, as that of a claim.
 */
export const TAKE_SQL = `
  WITH ${heldSql('found.lease_owner = $3')}, taken AS (
    UPDATE execution e
       SET attempt = 1, lease_expires_at = now() + $4::float8 * interval '1 millisecond',
           attempts = jsonb_build_array(jsonb_build_object('epoch', 1, 'number', 1, 'worker', $3::text, 'started_at', now()))
     WHERE e.id = ANY(ARRAY(SELECT id FROM held))
    RETURNING e.*
  )
  SELECT id AS asked_id, true AS is_locked, false AS is_poisoned, false AS is_suspect,
         (extract(epoch FROM deadline_at - created_at) * 1000)::float8 AS timeout_ms,
         id, tenant_id, agent_id, session_id, turn_number, attempt, false AS needs_fresh_process, epoch, claim_token, request,
         agent_version, created_at, started_at, restored_at, waiting_for, metadata, ${MESSAGE_IDS} AS message_ids,
         extract(epoch FROM deadline_at - now()) * 1000 AS remaining_ms,
         extract(epoch FROM clock_timestamp()) * 1000 AS claimed_at_ms,
         cancel_requested_at IS NOT NULL AS is_cancelled, false AS follows_lost_attempt,
         true AS has_state, (SELECT to_jsonb(found) FROM (${contextSql('taken')}) found) AS context, NULL::jsonb AS facts,
         set_config('synchronous_commit', 'off', true)
    FROM taken`;

/** Requeues the executions $1 that are claimed under the tokens $2 and were not taken. */
export const REQUEUE_SQL = `
  WITH ${heldSql()}
  UPDATE execution e
     SET status = 'queued', lease_owner = NULL, lease_expires_at = NULL, started_at = NULL, deadline_at = NULL
   WHERE e.id = ANY(ARRAY(SELECT id FROM held))
  RETURNING e.id`;
