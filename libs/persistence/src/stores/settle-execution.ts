import type { EntityManager } from 'typeorm';
import { LeaseLostError, StagedChangeRefusedError, type Settlement } from '#libs/agent-core';
import type { Claim } from '#libs/executions';
import { toStorableJson, toStorableText } from '#libs/kernel';
import {
  webhookTypeOf,
  withoutResultDetails,
  type ExecutionResult,
  type ExecutionUsage,
} from '#libs/payloads';
import type { StagedChange } from '#libs/tooling';
import { queryRows } from '../sql.js';
import type { OpenOffer } from './webhook-births.js';
import { insertDeliveries } from './webhook-outbox.js';
import { insertUsageSql, toUsageRow } from './usage-rows.js';
import { EXECUTION_COLUMNS, toResultOf, type ExecutionResultRow } from './execution-view.mapper.js';

/** Makes a staged change of the domain real; called inside the settling transaction. */
export type ApplyStagedChange = (manager: EntityManager, change: StagedChange, claim: Claim) => Promise<void>;

/**
 * Everything that becomes visible with the end of an execution, in the caller's transaction: messages, the domain's
 * changes, usage, status, webhooks with their bodies frozen byte for byte (S4-15 … S4-20), and the order to name a session
 * that has no title yet (S4-41).
 */
export async function settleExecution(
  manager: EntityManager,
  claim: Claim,
  settlement: Settlement,
  applyStagedChange: ApplyStagedChange,
  birth: OpenOffer,
): Promise<ExecutionResult> {
  for (const change of settlement.staged) await applyChange(manager, change, claim, applyStagedChange);
  const result = await writeEnding(manager, claim, settlement);
  const view = withoutResultDetails(result);
  const births = await insertDeliveries(
    manager,
    claim.tenantId,
    webhookTypeOf(settlement.status),
    view,
    view.finished_at ?? view.created_at,
    birth.offer,
  );
  birth.note(births);
  return result;
}

/** What other data forbids is the ending of this run, not a fault of the transaction. */
async function applyChange(
  manager: EntityManager,
  change: StagedChange,
  claim: Claim,
  applyStagedChange: ApplyStagedChange,
): Promise<void> {
  try {
    await applyStagedChange(manager, change, claim);
  } catch (error) {
    throw isRefusedData(error) ? new StagedChangeRefusedError(change.kind, error) : error;
  }
}

/** SQLSTATE classes by which the database refuses data: data exception, integrity constraint, a trigger's own word. */
const REFUSED_DATA = /^(22|23|P0001)/;

function isRefusedData(error: unknown): boolean {
  return Error.isError(error) && 'code' in error && REFUSED_DATA.test(String(error.code));
}

async function writeEnding(
  manager: EntityManager,
  claim: Claim,
  settlement: Settlement,
): Promise<ExecutionResult> {
  const [row] = await queryRows<ExecutionResultRow>(manager, SETTLE_SQL, [
    claim.executionId,
    claim.token,
    claim.tenantId,
    claim.agentId,
    claim.sessionId,
    claim.turnNumber,
    JSON.stringify(settlement.messages.map(toMessageRow)),
    toJson(settlement.usage.map(toUsageRow)),
    settlement.status,
    settlement.incompleteReason,
    settlement.error === null ? null : toJson(settlement.error),
    toJson(toUsage(settlement)),
    toJson(settlement.metadata),
    settlement.turns,
  ]);
  if (!row) throw new LeaseLostError(claim.executionId, claim.epoch);
  return toResultOf(row);
}

/** Whatever is in it can be stored: text without NUL and lone surrogates, numbers that are numbers. */
function toJson(value: unknown): string {
  return JSON.stringify(toStorableJson(value));
}

function toMessageRow(message: Settlement['messages'][number], ordinal: number): object {
  const { role, content, data, truncated } = message;
  return { ordinal, role, content: toStorableText(content), data: toStorableJson(data), truncated };
}

function toUsage(settlement: Settlement): ExecutionUsage {
  const { input_tokens, output_tokens, total_tokens } = settlement.totalTokens;
  return { input_tokens, output_tokens, total_tokens, total_cost_usd: settlement.totalCostUsd };
}

/** One statement, so one round trip, for everything whose shape does not depend on the domain. */
const SETTLE_SQL = `
  WITH message AS (
    INSERT INTO chat_message (tenant_id, session_id, execution_id, turn_number, ordinal, role, content, data, truncated)
    SELECT $3, $5, $1, $6, given.ordinal, given.role, given.content, given.data, given.truncated
      FROM jsonb_to_recordset($7::jsonb) AS given (ordinal int, role text, content text, data jsonb, truncated boolean)
     ORDER BY given.ordinal
    RETURNING id, role, content, data, truncated
  ), touched AS (
    UPDATE chat_session
       SET updated_at = now(),
           engine_session_id = CASE WHEN engine_first_turn <= $6 THEN coalesce(engine_session_id, $1::uuid::text) END
     WHERE id = $5 AND EXISTS (SELECT 1 FROM message)
    RETURNING title, engine_session_id
  ), naming AS (
    INSERT INTO session_title (session_id, execution_id, tenant_id)
    SELECT $5, $1, $3 FROM touched WHERE touched.title IS NULL AND $9 = 'completed'
    ON CONFLICT (session_id) DO NOTHING RETURNING 1
  ), answer AS (
    SELECT id, content, data, truncated FROM message WHERE role = 'assistant' ORDER BY id LIMIT 1
  ), spent AS (
    ${insertUsageSql({ execution: '$1', tenant: '$3', agent: '$4', session: '$5', rows: '$8' })}
  ), settled AS (
    UPDATE execution
       SET status = $9, result_message_id = (SELECT id FROM answer), incomplete_reason = $10, error = $11, usage = $12,
           execution_metadata = $13, num_turns = $14, engine_session_id = (SELECT engine_session_id FROM touched), finished_at = now(), lease_owner = NULL, lease_expires_at = NULL, dispatched_at = NULL
     WHERE id = $1 AND claim_token = $2 AND status = 'running'
    RETURNING ${EXECUTION_COLUMNS}, num_turns, engine_session_id
  )
  SELECT settled.*, answer.id AS message_id, answer.content AS message_content, answer.data AS message_data,
         answer.truncated AS message_truncated, EXISTS (SELECT 1 FROM naming) AS names_session
    FROM settled LEFT JOIN answer ON true`;
