import type { DataSource, EntityManager } from 'typeorm';
import { CANCELLED } from '#libs/agent-core';
import {
  CANCELLED_UNSTARTED,
  CancelStore,
  evaluateCancellation,
  type CancellationResult,
} from '#libs/executions';
import type { ExecutionStatus } from '#libs/payloads';
import { queryRows } from '../sql.js';
import { appendFacts } from './append-facts.js';
import { EXECUTION_VIEW_SELECT, toExecutionView, type ExecutionViewRow } from './execution-view.mapper.js';
import { insertDeliveries } from '../webhooks/webhook-outbox.js';

interface Row {
  readonly id: string;
  readonly tenant_id: string;
  readonly status: ExecutionStatus;
  readonly attempt: number;
}

export class CancellationStore extends CancelStore {
  constructor(private readonly dataSource: DataSource) {
    super();
  }

  override request(tenantId: string, executionId: string): Promise<CancellationResult> {
    return this.dataSource.transaction(async (manager) => {
      // Locks the session before the execution, like every settling transaction, so that they cannot deadlock.
      await queryRows(
        manager,
        `SELECT 1 FROM chat_session
          WHERE id = (SELECT session_id FROM execution WHERE tenant_id = $1 AND id = $2) FOR NO KEY UPDATE`,
        [tenantId, executionId],
      );
      const [row] = await queryRows<Row>(
        manager,
        `SELECT id, tenant_id, status, attempt FROM execution WHERE tenant_id = $1 AND id = $2 FOR UPDATE`,
        [tenantId, executionId],
      );
      if (!row) return { kind: 'not_found' };
      const kind = evaluateCancellation(row);
      if (kind === 'cancelled') await settleUnstarted(manager, row);
      else if (kind === 'requested') await noteRequest(manager, row);
      return { kind };
    });
  }

  override async requestBefore(tenantId: string, executionId: string): Promise<number> {
    const unsettled = await queryRows<{ id: string }>(
      this.dataSource,
      `SELECT earlier.id FROM execution own
         JOIN execution earlier ON earlier.session_id = own.session_id AND earlier.turn_number < own.turn_number
        WHERE own.tenant_id = $1 AND own.id = $2 AND earlier.status IN ('queued', 'running', 'requires_action')
        ORDER BY earlier.turn_number DESC`,
      [tenantId, executionId],
    );
    // Latest first, so that no turn starts because the one before it ended.
    let cancelled = 0;
    for (const { id } of unsettled) {
      const { kind } = await this.request(tenantId, id);
      if (kind === 'cancelled') cancelled += 1;
    }
    return cancelled;
  }
}

/** Returns those of the running executions with a requested cancellation. */
export async function findCancelled(
  manager: Pick<EntityManager, 'query'>,
  executionIds: readonly string[],
): Promise<readonly string[]> {
  const rows = await queryRows<{ id: string }>(
    manager,
    `SELECT id FROM execution WHERE id = ANY($1::uuid[]) AND status = 'running' AND cancel_requested_at IS NOT NULL`,
    [executionIds],
  );
  return rows.map((row) => row.id);
}

/**
 * Makes a waiting execution due at once, so that a worker ends it and records its usage. An earlier job may have been
 * refused or be far back in the queue, so it is sent again.
 */
async function noteRequest(manager: EntityManager, row: Row): Promise<void> {
  await queryRows(
    manager,
    `UPDATE execution
        SET cancel_requested_at = coalesce(cancel_requested_at, now()), pending_calls = NULL, approval_expires_at = NULL,
            status = CASE WHEN status = 'requires_action' THEN 'queued' ELSE status END,
            due_at = CASE WHEN status = 'running' THEN due_at END,
            dispatched_at = CASE WHEN status = 'running' THEN dispatched_at END
      WHERE id = $1 RETURNING id`,
    [row.id],
  );
}

async function settleUnstarted(manager: EntityManager, row: Row): Promise<void> {
  await appendFacts(manager, row.id, CANCELLED_UNSTARTED);
  const [settled] = await queryRows<{ now: Date }>(
    manager,
    `WITH erased AS (DELETE FROM execution_token WHERE execution_id = $1)
     UPDATE execution
        SET status = 'cancelled', cancel_requested_at = now(), finished_at = now(), dispatched_at = NULL, error = $2
      WHERE id = $1 RETURNING now() AS now`,
    [row.id, JSON.stringify(CANCELLED)],
  );
  const [view] = await queryRows<ExecutionViewRow>(manager, `${EXECUTION_VIEW_SELECT} WHERE e.id = $1`, [
    row.id,
  ]);
  if (view && settled) {
    const timestamp = settled.now.toISOString();
    await insertDeliveries(manager, row.tenant_id, 'execution.cancelled', toExecutionView(view), timestamp);
  }
}
