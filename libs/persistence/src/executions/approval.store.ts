import type { DataSource, EntityManager } from 'typeorm';
import type { DecidedBy } from '#libs/agent-core';
import {
  timeoutDecisions,
  DecisionStore,
  evaluateDecisions,
  type ApprovalResult,
  type CallDecision,
  type WaitingCall,
} from '#libs/executions';
import { queryRows } from '../sql.js';
import { appendFacts } from './append-facts.js';
import { readDecisions } from './read-decisions.js';

interface WaitingRow {
  readonly id: string;
  readonly tenant_id: string;
  readonly status: string;
  readonly pending_calls: readonly WaitingCall[] | null;
  readonly now: Date;
}

const WAITING_COLUMNS = 'id, tenant_id, status, pending_calls, now() AS now';

/** Decisions of people on waiting tool calls. */
export class ApprovalStore extends DecisionStore {
  constructor(private readonly dataSource: DataSource) {
    super();
  }

  override decide(
    tenantId: string,
    executionId: string,
    decisions: readonly CallDecision[],
    by: DecidedBy | null,
  ): Promise<ApprovalResult> {
    return this.dataSource.transaction(async (manager) => {
      const [row] = await queryRows<WaitingRow>(
        manager,
        `SELECT ${WAITING_COLUMNS} FROM execution WHERE tenant_id = $1 AND id = $2 FOR UPDATE`,
        [tenantId, executionId],
      );
      if (!row) return { kind: 'not_found' };
      return record(manager, row, decisions, by);
    });
  }

  /**
   * Decides overdue calls: approvals are refused, unreported outcomes stay unknown. Returns the number of executions that
   * resume.
   */
  async expire(reason: string): Promise<number> {
    const due = await queryRows<WaitingRow>(
      this.dataSource,
      `SELECT ${WAITING_COLUMNS} FROM execution WHERE status = 'requires_action' AND approval_expires_at < now() LIMIT 100`,
    );
    let expired = 0;
    for (const row of due) {
      const decisions = timeoutDecisions(row.pending_calls ?? [], reason);
      const result = await this.decide(row.tenant_id, row.id, decisions, null);
      if (result.kind === 'decided') expired += 1;
    }
    return expired;
  }
}

async function record(
  manager: EntityManager,
  row: WaitingRow,
  decisions: readonly CallDecision[],
  by: DecidedBy | null,
): Promise<ApprovalResult> {
  const waiting = row.status === 'requires_action' ? (row.pending_calls ?? []) : null;
  const taken = (await readDecisions(manager, row.id)).map(({ fact }) => fact);
  const origin = { decidedAt: row.now.getTime(), ...(by !== null && { by }) };
  const verdict = evaluateDecisions({ waiting, taken }, decisions, origin);
  if (verdict.kind !== 'taken') return verdict;
  const { facts, left } = verdict;
  const isRunnable = left.length === 0;
  if (facts.length === 0) return { kind: 'decided', isRunnable };
  await appendFacts(manager, row.id, facts);
  await queryRows(
    manager,
    `UPDATE execution SET pending_calls = $2, status = CASE WHEN $3 THEN 'queued' ELSE status END,
            approval_expires_at = CASE WHEN $3 THEN NULL ELSE approval_expires_at END,
            approval_expired_at = CASE WHEN $4 THEN now() ELSE approval_expired_at END
      WHERE id = $1 RETURNING id`,
    [row.id, isRunnable ? null : JSON.stringify(left), isRunnable, by === null],
  );
  return { kind: 'decided', isRunnable };
}
