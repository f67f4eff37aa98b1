import type { Settlement } from '#libs/agent-core';
import type { Claim } from '#libs/executions';
import { asStorableJson } from '#libs/kernel';
import {
  executorIdOf,
  toWebhookBody,
  webhookTypeOf,
  withoutResultDetails,
  type ExecutionResult,
} from '#libs/payloads';
import { queryRows, type Queryable } from '../sql.js';
import { answerOf, toEndingRow, toMessageRows, type EndingDetails } from './ending-row.js';
import { toResultOf } from './execution-view.mapper.js';
import { heldSql, insertBatchSql, toFencedRow, type FencedWrite, type Locking } from './append-facts.js';
import { orderExtractionsSql } from '../memory/memory-extraction-sql.js';
import { insertUsageSql, toUsageRow } from './usage-rows.js';
import {
  INLINE_DELIVERY_COLUMNS,
  toInlineDeliveries,
  type InlineDeliveryOffer,
  type InlineDeliveryRow,
  type InlineDeliveries,
} from '../webhooks/inline-deliveries.js';
import { insertDeliveriesSql } from '../webhooks/webhook-outbox.js';
import { parametersOf, type LockedRow, type Prepared } from './write-together.js';

/** Result row of the settling statement for one execution. */
export type SettledRow = LockedRow &
  EndingDetails & {
    /** Null without deliveries. */
    readonly deliveries: readonly InlineDeliveryRow[] | null;
    /** True if the end may have made work due: the next turn of its session, or an execution that waited for the slot. */
    readonly has_waiting: boolean;
    /** True if a memory extraction was ordered. */
    readonly is_to_be_learnt: boolean;
  };

/** The end of one execution, ready to be written. */
export interface PreparedEnding extends Prepared {
  /** Body of its webhooks. */
  readonly body: string;
  /** True if its request had secrets, which are deleted with its end. */
  readonly hadTokens: boolean;
  /** True if it ran for an executor, so that facts about them may be learnt. */
  readonly hasExecutor: boolean;
  /** Completes the data of the `result` event with fields that only the statement knows. */
  readonly toResult: (details: EndingDetails) => ExecutionResult;
}

/**
 * Builds all rows of an execution's end before they are written: messages, usage, status, webhooks with immutable bodies
 * (S4-15 … S4-20), and orders for a missing session title (S4-41) and for memory extraction.
 * @param finishedAt by the database's clock
 * @param title of an untitled session; null orders one, and so does a tenant's `title_llm`
 */
export function prepareEnding(
  claim: Claim,
  write: FencedWrite,
  settlement: Settlement,
  finishedAt: Date,
  title: string | null,
): PreparedEnding {
  const messages = toMessageRows(claim, settlement.messages);
  const ended = toEndingRow(claim, settlement, messages, finishedAt);
  const toResult = (details: EndingDetails) => toResultOf({ ...ended, ...details });
  const view = withoutResultDetails(toResult({ engine_session_id: null, names_session: false }));
  const type = webhookTypeOf(settlement.status);
  const body = toWebhookBody(type, view, finishedAt.toISOString());
  const row = {
    ...toFencedRow(write),
    messages,
    has_foreign: settlement.hasForeign,
    spent: settlement.usage.map((record) => asStorableJson(toUsageRow(record))),
    ending: ended.status,
    incomplete_reason: ended.incomplete_reason,
    error: ended.error,
    usage: ended.usage,
    metadata: ended.execution_metadata,
    turns: ended.num_turns,
    finished_at: finishedAt,
    answer: answerOf(messages)?.id ?? null,
    title,
    type,
    body,
    executor_id: executorIdOf(claim.request),
    summary: settlement.summary,
  };
  const { executionId, sessionId, request } = claim;
  const hadTokens = request.token_names !== undefined;
  const hasExecutor = row.executor_id !== null;
  return { executionId, sessionId, json: JSON.stringify(row), body, toResult, hadTokens, hasExecutor };
}

/** Settles several executions in one statement; returns a row for each, also for skipped ones. */
export function settleTogether(
  manager: Queryable,
  items: readonly PreparedEnding[],
  offer: InlineDeliveryOffer | null,
): Promise<SettledRow[]> {
  const parameters = [...parametersOf(items), offer && JSON.stringify(offer)];
  return queryRows<SettledRow>(manager, settleSqlFor(SETTLE_TOGETHER, items), parameters);
}

/** Settles one execution and waits for its locks; null if its claim no longer holds it. */
export async function settleAlone(
  manager: Queryable,
  item: PreparedEnding,
  offer: InlineDeliveryOffer | null,
): Promise<SettledRow | null> {
  const parameters = [...parametersOf([item]), offer && JSON.stringify(offer)];
  const [row] = await queryRows<SettledRow>(manager, settleSqlFor(SETTLE_ALONE, [item]), parameters);
  return row?.is_ready === true && row.is_held ? row : null;
}

/** Webhook deliveries of these executions. */
export function inlineDeliveriesOf(
  rows: readonly (SettledRow | null)[],
  items: readonly PreparedEnding[],
): InlineDeliveries[] {
  const bodies = new Map(items.map(({ executionId, body }) => [executionId, body]));
  return rows.map((row) => toInlineDeliveries(row?.deliveries ?? [], (id) => bodies.get(id) ?? ''));
}

const COLUMNS = `, messages jsonb, spent jsonb, ending text, incomplete_reason text, error jsonb, usage jsonb,
           metadata jsonb, turns int, finished_at timestamptz, answer int, title text, type text, body text, summary jsonb,
           executor_id text, has_foreign boolean`;

/**
 * Locks active endpoints without waiting: `free` omits those in a concurrent deletion, so that only executions that
 * notify such an endpoint must wait.
 */
const FREE_ENDPOINTS = `free AS MATERIALIZED (
    SELECT id FROM webhook_endpoint
     WHERE tenant_id IN (SELECT tenant_id FROM held) AND is_active ORDER BY id FOR KEY SHARE SKIP LOCKED
  )`;
const ENDPOINTS_ARE_FREE = `NOT EXISTS (
       SELECT 1 FROM webhook_endpoint wanted
        WHERE wanted.tenant_id = held.tenant_id AND wanted.is_active AND held.type = ANY(wanted.events)
          AND wanted.id NOT IN (SELECT id FROM free))`;

/**
 * One statement for all writes that do not depend on the domain: one round trip and one commit for any number of
 * executions.
 */
const settleSql = ({ waits }: Locking, { erasesTokens, learns }: Extras): string => `
  WITH ${heldSql(COLUMNS, { waits })}, ${waits ? '' : `${FREE_ENDPOINTS},`} fence AS MATERIALIZED (
    SELECT held.*, session.next_turn > held.turn_number + 1 AS has_later,
           spoken.speaks AND session.title IS NULL AND held.ending = 'completed' AS needs_title,
           CASE WHEN (SELECT settings ->> 'title_llm' FROM tenant WHERE tenant.id = held.tenant_id) IS NULL
                THEN held.title END AS title_at_once,
           CASE WHEN spoken.speaks AND session.engine_first_turn <= held.turn_number
                THEN coalesce(session.engine_session_id, held.id::text) END AS engine_session_id
      FROM held JOIN session ON session.id = held.session_id
     CROSS JOIN LATERAL (SELECT jsonb_array_length(held.messages) > 0 AS speaks) spoken
     WHERE ${waits ? 'true' : ENDPOINTS_ARE_FREE}
  ), ${insertBatchSql('fence')}, message AS (
    INSERT INTO chat_message (id, tenant_id, session_id, execution_id, turn_number, ordinal, role, content, data, truncated,
                              tokens, tokenizer)
    SELECT given.id, fence.tenant_id, fence.session_id, fence.id, fence.turn_number, given.ordinal, given.role, given.content,
           given.data, given.truncated, given.tokens, given.tokenizer
      FROM fence, jsonb_to_recordset(fence.messages)
           AS given (id int, ordinal int, role text, content text, data jsonb, truncated boolean, tokens int, tokenizer text)
  ), touched AS (
    UPDATE chat_session
       SET updated_at = now(), engine_session_id = fence.engine_session_id,
           foreign_turn = CASE WHEN fence.has_foreign THEN fence.turn_number ELSE chat_session.foreign_turn END,
           title = CASE WHEN fence.needs_title THEN fence.title_at_once ELSE chat_session.title END
      FROM fence WHERE chat_session.id = fence.session_id AND jsonb_array_length(fence.messages) > 0
  ), naming AS (
    INSERT INTO session_title (session_id, execution_id, tenant_id)
    SELECT session_id, id, tenant_id FROM fence WHERE needs_title AND title_at_once IS NULL ORDER BY session_id
    ON CONFLICT (session_id) DO NOTHING RETURNING execution_id
  ), summarising AS (
    INSERT INTO session_summary_order (session_id, tenant_id, execution_id, model, most_messages, most_tokens)
    SELECT session_id, tenant_id, id, summary ->> 'model', (summary #>> '{budget,messages}')::int, (summary #>> '{budget,tokens}')::int
      FROM fence WHERE summary IS NOT NULL ORDER BY session_id
    ON CONFLICT (session_id) DO UPDATE
      SET execution_id = excluded.execution_id, model = excluded.model, most_messages = excluded.most_messages,
          most_tokens = excluded.most_tokens
  ), spent AS (
    ${insertUsageSql({
      of: 'fence',
      execution: 'fence.id',
      tenant: 'fence.tenant_id',
      agent: 'fence.agent_id',
      session: 'fence.session_id',
      rows: 'fence.spent',
    })}
  ), settled AS (
    UPDATE execution
       SET status = fence.ending, result_message_id = fence.answer, incomplete_reason = fence.incomplete_reason,
           error = fence.error, usage = fence.usage, execution_metadata = fence.metadata, num_turns = fence.turns,
           engine_session_id = fence.engine_session_id, finished_at = fence.finished_at, lease_owner = NULL,
           lease_expires_at = NULL, dispatched_at = NULL
      FROM fence WHERE execution.id = fence.id
  ), ${erasesTokens ? ERASED_TOKENS : ''}${learns ? ORDERED_EXTRACTIONS : ''}${insertDeliveriesSql({ of: 'fence', offer: '$4' })}
  SELECT given.id, held.id IS NOT NULL AS is_held, fence.engine_session_id,
         locked.id IS NOT NULL AND (held.id IS NULL OR fence.id IS NOT NULL) AS is_ready,
         EXISTS (SELECT 1 FROM naming WHERE naming.execution_id = given.id) AS names_session,
         (SELECT jsonb_agg(delivery)
            FROM (SELECT ${INLINE_DELIVERY_COLUMNS} FROM notified WHERE execution_id = given.id) delivery) AS deliveries,
         coalesce(fence.has_later, false) OR (SELECT EXISTS (SELECT 1 FROM unsent_tenants())) AS has_waiting,
         ${learns ? 'EXISTS (SELECT 1 FROM learning WHERE learning.execution_id = given.id)' : 'false'} AS is_to_be_learnt
    FROM given
    LEFT JOIN locked ON locked.id = given.id
    LEFT JOIN held ON held.id = given.id
    LEFT JOIN fence ON fence.id = given.id`;

/** Optional parts; executions without them use a statement without these parts. */
interface Extras {
  readonly erasesTokens: boolean;
  readonly learns: boolean;
}

const ERASED_TOKENS = `erased AS (
    DELETE FROM execution_token USING fence WHERE execution_token.execution_id = fence.id
  ), `;
const ORDERED_EXTRACTIONS = `learning AS (
    ${orderExtractionsSql('fence')}
  ), `;

/** Statements by the optional parts of their executions: tokens, an executor. */
interface SettleStatements {
  readonly neither: string;
  readonly tokens: string;
  readonly executor: string;
  readonly both: string;
}

const statementsOf = (locking: Locking): SettleStatements => ({
  neither: settleSql(locking, { erasesTokens: false, learns: false }),
  tokens: settleSql(locking, { erasesTokens: true, learns: false }),
  executor: settleSql(locking, { erasesTokens: false, learns: true }),
  both: settleSql(locking, { erasesTokens: true, learns: true }),
});
const SETTLE_TOGETHER = statementsOf({ waits: false });
const SETTLE_ALONE = statementsOf({ waits: true });

function settleSqlFor(statements: SettleStatements, items: readonly PreparedEnding[]): string {
  const haveTokens = items.some(({ hadTokens }) => hadTokens);
  const haveExecutor = items.some(({ hasExecutor }) => hasExecutor);
  if (haveTokens) return haveExecutor ? statements.both : statements.tokens;
  return haveExecutor ? statements.executor : statements.neither;
}
