import type { EntityManager } from 'typeorm';
import { LeaseLostError, type Settlement } from '#libs/agent-core';
import { toStorableJson, toStorableText } from '#libs/kernel';
import { webhookTypeOf, type ExecutionUsage, type ExecutionView } from '#libs/payloads';
import type { StagedChange } from '#libs/tooling';
import { queryRows } from '../sql.js';
import type { Claim } from './execution-claim.store.js';
import { insertDeliveries } from './webhook-outbox.js';
import { EXECUTION_VIEW_SELECT, toExecutionView, type ExecutionViewRow } from './execution-view.mapper.js';

/** Makes a staged change of the domain real; called inside the settling transaction. */
export type ApplyStagedChange = (manager: EntityManager, change: StagedChange, claim: Claim) => Promise<void>;

/**
 * Everything that becomes visible with the end of an execution, in the caller's transaction: messages, the domain's
 * changes, usage, status, webhooks with their bodies frozen byte for byte (S4-15 … S4-20).
 */
export async function settleExecution(
  manager: EntityManager,
  claim: Claim,
  settlement: Settlement,
  applyStagedChange: ApplyStagedChange,
): Promise<ExecutionView> {
  const resultMessageId = await insertMessages(manager, claim, settlement);
  for (const change of settlement.staged) await applyStagedChange(manager, change, claim);
  await insertUsage(manager, claim, settlement);
  await writeOutcome(manager, claim, settlement, resultMessageId);
  const view = await readView(manager, claim);
  await insertDeliveries(
    manager,
    claim.tenantId,
    webhookTypeOf(settlement.status),
    view,
    view.finished_at ?? view.created_at,
  );
  return view;
}

async function insertMessages(
  manager: EntityManager,
  claim: Claim,
  settlement: Settlement,
): Promise<number | null> {
  if (settlement.messages.length === 0) return null;
  const messages = settlement.messages.map((message, ordinal) => ({
    ordinal,
    role: message.role,
    content: toStorableText(message.content),
    data: toStorableJson(message.data),
  }));
  const rows = await queryRows<{ id: number; role: string }>(
    manager,
    `WITH touched AS (UPDATE chat_session SET updated_at = now() WHERE id = $2)
     INSERT INTO chat_message (tenant_id, session_id, execution_id, turn_number, ordinal, role, content, data)
     SELECT $1, $2, $3, $4, message.ordinal, message.role, message.content, message.data
       FROM jsonb_to_recordset($5::jsonb) AS message (ordinal int, role text, content text, data jsonb)
      ORDER BY message.ordinal
     RETURNING id, role`,
    [claim.tenantId, claim.sessionId, claim.executionId, claim.turnNumber, JSON.stringify(messages)],
  );
  return rows.find((row) => row.role === 'assistant')?.id ?? null;
}

async function insertUsage(manager: EntityManager, claim: Claim, settlement: Settlement): Promise<void> {
  if (settlement.usage.length === 0) return;
  const records = settlement.usage.map(({ round, model, responseId, tokens, costUsd }) => ({
    round,
    model,
    response_id: responseId,
    cost_usd: costUsd,
    ...tokens,
  }));
  await queryRows(
    manager,
    `INSERT INTO usage_log (execution_id, round, tenant_id, agent_id, session_id, model, response_id,
                            input_tokens, cached_input_tokens, output_tokens, reasoning_tokens, total_tokens, cost_usd)
     SELECT $1, round, $2, $3, $4, model, response_id,
            input_tokens, cached_input_tokens, output_tokens, reasoning_tokens, total_tokens, cost_usd
       FROM jsonb_to_recordset($5::jsonb) AS usage (round int, model text, response_id text, input_tokens int,
            cached_input_tokens int, output_tokens int, reasoning_tokens int, total_tokens int, cost_usd numeric)`,
    [claim.executionId, claim.tenantId, claim.agentId, claim.sessionId, JSON.stringify(records)],
  );
}

async function writeOutcome(
  manager: EntityManager,
  claim: Claim,
  settlement: Settlement,
  resultMessageId: number | null,
): Promise<void> {
  const rows = await queryRows(
    manager,
    `UPDATE execution
        SET status = $3, result_message_id = $4, incomplete_reason = $5, error = $6, usage = $7, execution_metadata = $8,
            finished_at = now(), lease_owner = NULL, lease_expires_at = NULL, dispatched_at = NULL
      WHERE id = $1 AND epoch = $2 AND status = 'running' RETURNING id`,
    [
      claim.executionId,
      claim.epoch,
      settlement.status,
      resultMessageId,
      settlement.incompleteReason,
      settlement.error === null ? null : JSON.stringify(settlement.error),
      JSON.stringify(toUsage(settlement)),
      JSON.stringify(settlement.metadata),
    ],
  );
  if (rows.length === 0) throw new LeaseLostError(claim.executionId, claim.epoch);
}

function toUsage(settlement: Settlement): ExecutionUsage {
  const { input_tokens, output_tokens, total_tokens } = settlement.totalTokens;
  return { input_tokens, output_tokens, total_tokens, total_cost_usd: settlement.totalCostUsd };
}

async function readView(manager: EntityManager, claim: Claim): Promise<ExecutionView> {
  const [row] = await queryRows<ExecutionViewRow>(manager, `${EXECUTION_VIEW_SELECT} WHERE e.id = $1`, [
    claim.executionId,
  ]);
  if (!row) throw new LeaseLostError(claim.executionId, claim.epoch);
  return toExecutionView(row);
}
