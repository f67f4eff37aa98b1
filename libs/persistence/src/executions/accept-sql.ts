import type { DispatchOptions, CheckedRows, Submission } from '#libs/executions';
import {
  bindOffers,
  CLAIMED_COLUMNS,
  claimedValues,
  HAS_JOB,
  takenAlone,
  takenByMany,
  type Assigning,
  type BoundLimits,
  type BoundOffers,
} from './assigned-sql.js';
import { areStill, mapMarks, MARKS_OF_ROW } from './checked-rows.js';
import { HAS_ROOM, queueLimitsOf, roomInQueues } from './queue-room.js';
import { ACCEPTED_COLUMNS } from './execution-view.mapper.js';

/** Lifetime of an `Idempotency-Key`. */
const IDEMPOTENCY_RETENTION = '24 hours';
/** Maximum lifetime of a request's secrets, if its execution does not end before. */
export const TOKEN_RETENTION = '24 hours';

/** Batches insert in key order, so that two with common keys do not deadlock: the second waits for the first to commit. */
const TAKE_OVER_EXPIRED = `ON CONFLICT (tenant_id, key) DO UPDATE
      SET request_sha256 = excluded.request_sha256, execution_id = excluded.execution_id, expires_at = excluded.expires_at
    WHERE known.expires_at < now()`;

export interface Statement {
  readonly sql: string;
  readonly parameters: readonly unknown[];
}

/** Dispatch limits for executions that count as sent at the acceptance. */
export type DispatchLimits = Omit<DispatchOptions, 'redispatchAfterMs'>;

/** Limits under which no execution counts as sent at the acceptance: all wait for the dispatch. */
export const NOTHING_AT_ONCE: DispatchLimits = {
  ...{ queueTarget: 0, tenantQueueShare: 0, tenantInFlightCap: 0, tenantSlotShare: 0 },
};

/** Commits asynchronously: visible at once, and durable with the next flush. */
const WITHOUT_WAITING = `, set_config('synchronous_commit', 'off', true)`;
/** The version that the request names, or the current one. */
const versionOf = (agentId: string, named: string): string =>
  `coalesce(${named}, (SELECT version FROM agent WHERE agent.id = ${agentId}))`;
const COLUMNS = `${ACCEPTED_COLUMNS}, dispatched_at IS NOT NULL AS is_dispatched`;

const TOKEN = 'claim_token AS token';

/**
 * Accepts one submission. A concurrent request with the same key waits on the unique index for the first commit and then
 * finds its execution; an expired key is replaced. Without the session, the key's foreign key fails too, so that key and
 * execution are stored together or not at all.
 * @param isWhole whether the statement is its own transaction, which commits asynchronously
 * @param assigning an offer that it may take; null for none
 */
export function acceptOne(
  submission: Submission,
  limits: DispatchLimits,
  isWhole: boolean,
  assigning: Assigning | null = null,
): Statement {
  const { tenantId, agentId, executionId, sessionId, newSessionId, sessionMetadata } = submission;
  const { idempotency, webhook } = submission;
  const parameters: unknown[] = [executionId, tenantId, agentId, sessionId ?? newSessionId];
  const bind = (value: unknown): string => `$${parameters.push(value)}`;
  const { checkedBy, counted } = submission;
  const isStill = checkedBy ? areStill('$3', mapMarks(checkedBy, bind)) : 'true';
  const queueRoom = counted
    ? `queue_room AS MATERIALIZED (SELECT * FROM ${roomInQueues(queueLimitsOf([submission]), bind)}),`
    : '';
  const isEvaluated = counted
    ? `${isStill} AND EXISTS (SELECT 1 FROM queue_room WHERE ${HAS_ROOM})`
    : isStill;
  const mayGoOn = idempotency ? 'EXISTS (SELECT 1 FROM fresh_key)' : isEvaluated;
  const session = sessionId
    ? `UPDATE chat_session SET next_turn = next_turn + 1, updated_at = now()
        WHERE id = $4 AND tenant_id = $2 AND agent_id = $3 AND is_active AND ${mayGoOn}
        RETURNING id, tenant_id, next_turn - 1 AS turn`
    : `INSERT INTO chat_session (id, tenant_id, agent_id, next_turn, metadata)
        SELECT $4, $2, $3, 2, ${bind(JSON.stringify(sessionMetadata))}::jsonb WHERE ${mayGoOn}
        RETURNING id, tenant_id, 1 AS turn`;
  const sessionExists = sessionId
    ? `EXISTS (SELECT 1 FROM chat_session WHERE id = $4 AND tenant_id = $2 AND agent_id = $3 AND is_active)`
    : 'true';
  const key = idempotency
    ? `fresh_key AS (
        INSERT INTO idempotency_key AS known (tenant_id, key, request_sha256, execution_id, expires_at)
        SELECT $2, ${bind(idempotency.key)}, ${bind(idempotency.requestSha256)}, $1::uuid,
               now() + interval '${IDEMPOTENCY_RETENTION}'
         WHERE ${sessionExists} AND ${isEvaluated}
        ${TAKE_OVER_EXPIRED}
        RETURNING 1),`
    : '';
  const notified = webhook
    ? `, webhook AS (
        INSERT INTO execution_webhook (execution_id, tenant_id, url, receiver, events)
        SELECT $1::uuid, $2, ${bind(webhook.url)}, ${bind(receiverOf(webhook))}, ${bind(webhook.events)}::text[] FROM session
      ), first_secret AS (
        INSERT INTO webhook_signing_secret (tenant_id, secret_sealed) SELECT $2, ${bind(webhook.firstSecretSealed)} FROM session
        ON CONFLICT (tenant_id) DO NOTHING
      )`
    : '';
  const kept =
    submission.tokens.length > 0
      ? `, token AS (
        INSERT INTO execution_token (execution_id, tenant_id, name, sealed, expires_at)
        SELECT $1::uuid, $2, given.name, given.sealed, now() + interval '${TOKEN_RETENTION}'
          FROM session, jsonb_to_recordset(${bind(JSON.stringify(submission.tokens))}::jsonb) AS given (name text, sealed text)
      )`
      : '';
  // Counts the room for jobs only after locking the session row, which other transactions may hold.
  const asking = sessionId
    ? `CASE WHEN is_session_idle(session.id) THEN ARRAY[session.tenant_id] ELSE '{}' END`
    : 'ARRAY[session.tenant_id]';
  const bound = bindLimits(limits, bind);
  const offers = assigning && bindOffers(assigning, bind);
  const room = `room_of_accepted(${asking}, ${bound.all})`;
  const version = versionOf('$3', `${bind(submission.request.agent_version ?? null)}::int`);
  const request = bind(JSON.stringify(submission.request));
  const taken = offers
    ? takenAlone({ agentId: '$3::int', version, request: `${request}::jsonb` }, bound, offers)
    : '';
  const sql = `
    WITH ${queueRoom} ${key}
    session AS (${session})
    ${notified}
    ${kept}
    INSERT INTO execution (id, tenant_id, agent_id, agent_version, session_id, turn_number, request, metadata, dispatched_at${offers ? `, ${CLAIMED_COLUMNS}` : ''})
    SELECT $1, $2, $3, ${version}, session.id, session.turn, ${request}::jsonb, ${bind(JSON.stringify(submission.metadata))},
           CASE WHEN ${HAS_JOB}${offers ? ' AND taken.token IS NULL' : ''} THEN now() END${offers ? `, ${claimedValues('taken', offers)}` : ''}
      FROM session LEFT JOIN LATERAL ${room} room ON true ${taken}
    RETURNING ${COLUMNS}${offers ? `, ${TOKEN}` : ''}${isWhole ? WITHOUT_WAITING : ''}`;
  return { sql, parameters };
}

/** Returns a row if a row used for validation has changed. */
export function findOutdated(agentId: number, checkedBy: CheckedRows): Statement {
  const parameters: unknown[] = [agentId];
  const bind = (value: unknown): string => `$${parameters.push(value)}`;
  return { sql: `SELECT 1 WHERE NOT ${areStill('$1', mapMarks(checkedBy, bind))}`, parameters };
}

/**
 * Whether the submission can share a statement: it waits for no long-held row lock. A key in another accept is held only
 * for that statement, which does not wait for the disk.
 */
export function isIndependent({ sessionId }: Submission): boolean {
  return sessionId === null;
}

/** An independent submission as input of {@link acceptMany}. */
export function toAcceptedRow({
  executionId,
  newSessionId,
  sessionMetadata,
  webhook,
  idempotency,
  ...submission
}: Submission): string {
  return JSON.stringify({
    id: executionId,
    tenant_id: submission.tenantId,
    agent_id: submission.agentId,
    session_id: newSessionId,
    session_metadata: sessionMetadata,
    request: submission.request,
    metadata: submission.metadata,
    checked_by: submission.checkedBy,
    key: idempotency?.key,
    request_sha256: idempotency?.requestSha256,
    ...(submission.tokens.length > 0 && { tokens: submission.tokens }),
    webhook: webhook && {
      url: webhook.url,
      receiver: receiverOf(webhook),
      events: webhook.events,
      secret: webhook.firstSecretSealed,
    },
  });
}

/**
 * Accepts independent submissions, each with its own new session and key, in one transaction. Skips those with a known
 * key, changed validation rows or a full queue; room is given in order. Submissions without tokens or counted limits get
 * a statement without those parts.
 * @param rows the submissions as {@link toAcceptedRow} writes them
 * @param assigning offers that they take in order; null for none
 */
export function acceptMany(
  rows: readonly string[],
  submissions: readonly Submission[],
  limits: DispatchLimits,
  assigning: Assigning | null = null,
): Statement {
  const parameters: unknown[] = [`[${rows.join(',')}]`];
  const bind = (value: unknown): string => `$${parameters.push(value)}`;
  const haveTokens = submissions.some(({ tokens }) => tokens.length > 0);
  const bound = bindLimits(limits, bind);
  const offers = assigning && bindOffers(assigning, bind);
  const queueRoom = submissions.some(({ counted }) => counted)
    ? roomInQueues(queueLimitsOf(submissions), bind)
    : null;
  return { sql: acceptManySql(bound, haveTokens, queueRoom, offers), parameters };
}

const TOKENS_OF_MANY = `, token AS (
    INSERT INTO execution_token (execution_id, tenant_id, name, sealed, expires_at)
    SELECT item.id, item.tenant_id, given.name, given.sealed, now() + interval '${TOKEN_RETENTION}'
      FROM item CROSS JOIN LATERAL jsonb_to_recordset(item.tokens) AS given (name text, sealed text)
     WHERE jsonb_typeof(item.tokens) = 'array'
  )`;

/** Submissions of `judged` that fit their queues, in order; one with a known key needs no room. */
const givenWithin = (queueRoom: string): string => `, queue_room AS MATERIALIZED (
    SELECT * FROM ${queueRoom}
  ), fresh AS (
    SELECT judged.*, row_number() OVER (PARTITION BY tenant_id ORDER BY place) AS of_tenant,
           row_number() OVER (ORDER BY place) AS of_all
      FROM judged
     WHERE key IS NULL OR NOT EXISTS (
       SELECT 1 FROM idempotency_key known
        WHERE known.tenant_id = judged.tenant_id AND known.key = judged.key AND known.expires_at >= now())
  ), given AS MATERIALIZED (
    SELECT fresh.* FROM fresh JOIN queue_room USING (tenant_id)
     WHERE fresh.of_tenant <= coalesce(queue_room.of_tenant, fresh.of_tenant)
       AND fresh.of_all <= coalesce(queue_room.of_all, fresh.of_all)
  )`;

const VERSION_OF_ITEM = versionOf('item.agent_id', `(item.request ->> 'agent_version')::int`);

const acceptManySql = (
  limits: BoundLimits,
  haveTokens: boolean,
  queueRoom: string | null,
  offers: BoundOffers | null,
): string => `
  WITH ${queueRoom === null ? 'given' : 'judged'} AS MATERIALIZED (
    SELECT * FROM ROWS FROM (jsonb_to_recordset($1::jsonb) AS (
        id uuid, tenant_id text, agent_id int, session_id uuid, session_metadata jsonb, request jsonb, metadata jsonb,
        checked_by jsonb, webhook jsonb, key text, request_sha256 text${haveTokens ? ', tokens jsonb' : ''})
      ) WITH ORDINALITY AS given (id, tenant_id, agent_id, session_id, session_metadata, request, metadata, checked_by,
                                  webhook, key, request_sha256${haveTokens ? ', tokens' : ''}, place)
     WHERE checked_by ->> 'agent' IS NULL OR ${areStill('given.agent_id', MARKS_OF_ROW)}
  )${queueRoom === null ? '' : givenWithin(queueRoom)}, fresh_key AS (
    INSERT INTO idempotency_key AS known (tenant_id, key, request_sha256, execution_id, expires_at)
    SELECT tenant_id, key, request_sha256, id, now() + interval '${IDEMPOTENCY_RETENTION}'
      FROM given WHERE key IS NOT NULL ORDER BY tenant_id, key
    ${TAKE_OVER_EXPIRED}
    RETURNING execution_id
  ), item AS MATERIALIZED (
    SELECT * FROM given WHERE key IS NULL OR id = ANY(ARRAY(SELECT execution_id FROM fresh_key))
  ), session AS (
    INSERT INTO chat_session (id, tenant_id, agent_id, next_turn, metadata)
    SELECT session_id, tenant_id, agent_id, 2, session_metadata FROM item
  ), webhook AS (
    INSERT INTO execution_webhook (execution_id, tenant_id, url, receiver, events)
    SELECT id, tenant_id, webhook ->> 'url', webhook ->> 'receiver',
           ARRAY(SELECT jsonb_array_elements_text(webhook -> 'events'))
      FROM item WHERE jsonb_typeof(webhook) = 'object'
  ), first_secret AS (
    INSERT INTO webhook_signing_secret (tenant_id, secret_sealed)
    SELECT DISTINCT ON (tenant_id) tenant_id, webhook ->> 'secret'
      FROM item WHERE jsonb_typeof(webhook) = 'object' ORDER BY tenant_id, place
    ON CONFLICT (tenant_id) DO NOTHING
  )${haveTokens ? TOKENS_OF_MANY : ''}, placed AS MATERIALIZED (
    SELECT id, row_number() OVER (PARTITION BY tenant_id ORDER BY place) AS of_tenant,
           row_number() OVER (ORDER BY place) AS of_all
      FROM item
  ), room AS MATERIALIZED (
    SELECT * FROM room_of_accepted(ARRAY(SELECT DISTINCT tenant_id FROM item), ${limits.all})
  )${offers ? takenByMany(VERSION_OF_ITEM, limits, offers) : ''}
  INSERT INTO execution (id, tenant_id, agent_id, agent_version, session_id, turn_number, request, metadata, dispatched_at${offers ? `, ${CLAIMED_COLUMNS}` : ''})
  SELECT item.id, item.tenant_id, item.agent_id, ${VERSION_OF_ITEM}, item.session_id, 1, item.request, item.metadata,
         CASE WHEN placed.of_tenant <= room.jobs AND placed.of_all <= room.of_all${offers ? ' AND taken.token IS NULL' : ''} THEN now() END${offers ? `, ${claimedValues('taken', offers)}` : ''}
    FROM item JOIN placed USING (id) LEFT JOIN room ON room.tenant_id = item.tenant_id
    ${offers ? 'LEFT JOIN taken ON taken.id = item.id' : ''}
   ORDER BY item.place
  RETURNING ${COLUMNS}${offers ? `, ${TOKEN}` : ''}${WITHOUT_WAITING}`;

function bindLimits(limits: DispatchLimits, bind: (value: unknown) => string): BoundLimits {
  const { tenantQueueShare, tenantInFlightCap, tenantSlotShare } = limits;
  const queueTarget = `${bind(limits.queueTarget)}::int`;
  const others = [
    `${bind(tenantQueueShare)}::float8`,
    `${bind(tenantInFlightCap)}::int`,
    `${bind(tenantSlotShare)}::float8`,
  ];
  return { queueTarget, all: [queueTarget, ...others].join(', ') };
}

function receiverOf({ url }: NonNullable<Submission['webhook']>): string {
  return new URL(url).origin;
}
