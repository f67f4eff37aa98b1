import type { EntityManager } from 'typeorm';
import { LeaseLostError } from '#libs/agent-core';
import type { Claim } from '#libs/executions';
import { asStorableJson, toStorableJson } from '#libs/kernel';
import type { ExecutionView, PendingCall } from '#libs/payloads';
import { queryRows } from '../sql.js';
import { TOKEN_RETENTION } from './accept-sql.js';
import { endedAttemptsSql } from './attempt-record.js';
import { EXECUTION_VIEW_SELECT, toExecutionView, type ExecutionViewRow } from './execution-view.mapper.js';
import { waitOfCalls } from './shown-wait.js';
import type { InlineDeliveryOffer, InlineDeliveries } from '../webhooks/inline-deliveries.js';
import { insertDeliveries } from '../webhooks/webhook-outbox.js';

/**
 * Parks an execution for a person's decision, in the caller's transaction. Its deadline is cleared; the next claim sets a
 * new one. Its tokens are kept until one day after the end of the decision time.
 */
export async function parkExecution(
  manager: EntityManager,
  claim: Claim,
  calls: readonly PendingCall[],
  approvalTimeoutMs: number,
  offer: InlineDeliveryOffer | null,
): Promise<{ readonly view: ExecutionView; readonly inlineDeliveries: InlineDeliveries }> {
  const parked = await queryRows<{ now: Date }>(
    manager,
    `WITH kept AS (
       UPDATE execution_token SET expires_at = now() + $4 * interval '1 millisecond' + interval '${TOKEN_RETENTION}'
         FROM execution
        WHERE execution.id = $1 AND execution.claim_token = $2 AND execution_token.execution_id = execution.id
          AND execution_token.expires_at > now()
     )
     UPDATE execution
        SET status = 'requires_action', pending_calls = $3, lease_owner = NULL, lease_expires_at = NULL,
            dispatched_at = NULL, deadline_at = NULL, attempts = ${endedAttemptsSql('execution', 'parked')}, approval_expires_at = now() + $4 * interval '1 millisecond',
            waiting_for = $5::jsonb || jsonb_build_object('since', now())
      WHERE id = $1 AND claim_token = $2 AND status = 'running' RETURNING now() AS now`,
    [
      claim.executionId,
      claim.token,
      JSON.stringify(toStorableJson(calls)),
      approvalTimeoutMs,
      JSON.stringify(asStorableJson(waitOfCalls(calls))),
    ],
  );
  const [row] = await queryRows<ExecutionViewRow>(manager, `${EXECUTION_VIEW_SELECT} WHERE e.id = $1`, [
    claim.executionId,
  ]);
  if (!parked[0] || !row) throw new LeaseLostError(claim.executionId, claim.epoch);
  const view = toExecutionView(row);
  const inlineDeliveries = await insertDeliveries(
    manager,
    claim.tenantId,
    'execution.requires_action',
    view,
    parked[0].now.toISOString(),
    offer,
  );
  return { view, inlineDeliveries };
}
