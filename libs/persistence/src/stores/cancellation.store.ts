import type { DataSource, EntityManager } from 'typeorm';
import { CancelStore, type CancellationResult } from '#libs/executions';
import type { ExecutionStatus } from '#libs/payloads';
import { queryRows } from '../sql.js';
import { EXECUTION_VIEW_SELECT, toExecutionView, type ExecutionViewRow } from './execution-view.mapper.js';
import { versionOf } from './journal-version.js';
import { insertDeliveries } from './webhook-outbox.js';

interface Row {
  readonly id: string;
  readonly tenant_id: string;
  readonly status: ExecutionStatus;
  readonly attempt: number;
  readonly epoch: number;
}

/** What a client reads of an execution that it cancelled. */
const CANCELLED_ERROR = { code: 'CANCELLED', message: 'the execution was cancelled' };

export class CancellationStore extends CancelStore {
  constructor(private readonly dataSource: DataSource) {
    super();
  }

  override request(tenantId: string, executionId: string): Promise<CancellationResult> {
    return this.dataSource.transaction(async (manager) => {
      // Before the execution, as by everybody who may settle one.
      await queryRows(
        manager,
        `SELECT 1 FROM chat_session
          WHERE id = (SELECT session_id FROM execution WHERE tenant_id = $1 AND id = $2) FOR NO KEY UPDATE`,
        [tenantId, executionId],
      );
      const [row] = await queryRows<Row>(
        manager,
        `SELECT id, tenant_id, status, attempt, epoch FROM execution WHERE tenant_id = $1 AND id = $2 FOR UPDATE`,
        [tenantId, executionId],
      );
      if (!row) return { kind: 'not_found' };
      switch (row.status) {
        case 'queued':
          return row.attempt === 0 ? settleUnstarted(manager, row) : noteRequest(manager, row);
        case 'running':
        case 'requires_action':
          return noteRequest(manager, row);
        case 'completed':
        case 'incomplete':
        case 'failed':
        case 'cancelled':
          return { kind: 'settled_before' };
      }
    });
  }

  override async requestForSession(tenantId: string, sessionId: string): Promise<void> {
    const unsettled = await queryRows<{ id: string }>(
      this.dataSource,
      `SELECT id FROM execution WHERE tenant_id = $1 AND session_id = $2
          AND status IN ('queued', 'running', 'requires_action')
          AND EXISTS (SELECT 1 FROM chat_session WHERE id = $2 AND is_active) ORDER BY turn_number DESC`,
      [tenantId, sessionId],
    );
    // The last first, so that none of them begins because the one before it ended.
    for (const { id } of unsettled) await this.request(tenantId, id);
  }
}

/** Which of these running executions somebody wants cancelled. */
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
 * What waited for a person, or for a better time, is due at once, to be ended by a worker with everything that it has spent.
 * A job of it that was sent may have been refused before, or be far behind: it is sent again.
 */
async function noteRequest(manager: EntityManager, row: Row): Promise<CancellationResult> {
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
  return { kind: 'requested' };
}

async function settleUnstarted(manager: EntityManager, row: Row): Promise<CancellationResult> {
  const outcome = { status: 'cancelled' } as const;
  await queryRows(
    manager,
    `INSERT INTO journal_entry (execution_id, sequence, tenant_id, epoch, version, kind, data)
     VALUES ($1, 1, $2, $3, $4, 'cancellation_requested', '{}'), ($1, 2, $2, $3, $5, 'execution_settled', $6)`,
    [
      row.id,
      row.tenant_id,
      row.epoch,
      versionOf({ kind: 'cancellation_requested' }),
      versionOf({ kind: 'execution_settled', outcome }),
      JSON.stringify({ outcome }),
    ],
  );
  const [settled] = await queryRows<{ now: Date }>(
    manager,
    `UPDATE execution
        SET status = 'cancelled', cancel_requested_at = now(), finished_at = now(), dispatched_at = NULL, error = $2
      WHERE id = $1 RETURNING now() AS now`,
    [row.id, JSON.stringify(CANCELLED_ERROR)],
  );
  const [view] = await queryRows<ExecutionViewRow>(manager, `${EXECUTION_VIEW_SELECT} WHERE e.id = $1`, [
    row.id,
  ]);
  if (view && settled) {
    const timestamp = settled.now.toISOString();
    await insertDeliveries(manager, row.tenant_id, 'execution.cancelled', toExecutionView(view), timestamp);
  }
  return { kind: 'cancelled' };
}
