import type { DataSource, EntityManager } from 'typeorm';
import { parseCallName, ROOT, type JournalEntry } from '#libs/agent-core';
import { DecisionStore, type ApprovalResult, type CallDecision } from '#libs/executions';
import { toStorableJson } from '#libs/kernel';
import type { PendingCall } from '#libs/payloads';
import { queryRows } from '../sql.js';
import { versionOf } from './journal-version.js';

interface WaitingRow {
  readonly id: string;
  readonly tenant_id: string;
  readonly status: string;
  readonly epoch: number;
  readonly pending_calls: readonly PendingCall[] | null;
}

/** Decisions of people over tool calls that wait for them. */
export class ApprovalStore extends DecisionStore {
  constructor(private readonly dataSource: DataSource) {
    super();
  }

  override decide(
    tenantId: string,
    executionId: string,
    decisions: readonly CallDecision[],
  ): Promise<ApprovalResult> {
    return this.dataSource.transaction(async (manager) => {
      const [row] = await queryRows<WaitingRow>(
        manager,
        `SELECT id, tenant_id, status, epoch, pending_calls FROM execution WHERE tenant_id = $1 AND id = $2 FOR UPDATE`,
        [tenantId, executionId],
      );
      if (!row) return { kind: 'not_found' };
      if (row.status !== 'requires_action') return { kind: 'not_waiting' };
      return record(manager, row, decisions);
    });
  }

  /** Refuses what nobody decided in time; what nobody reported stays unknown. Answers how many executions go on. */
  async expire(reason: string): Promise<number> {
    const due = await queryRows<{
      id: string;
      tenant_id: string;
      pending_calls: readonly PendingCall[] | null;
    }>(
      this.dataSource,
      `SELECT id, tenant_id, pending_calls FROM execution WHERE status = 'requires_action' AND approval_expires_at < now() LIMIT 100`,
    );
    let expired = 0;
    for (const row of due) {
      const decisions = (row.pending_calls ?? []).map(({ call, asks }): CallDecision => {
        if (asks === 'outcome') return { call, report: { kind: 'unknown' }, reason };
        return { call, approved: false, reason };
      });
      const result = await this.decide(row.tenant_id, row.id, decisions);
      if (result.kind === 'decided') expired += 1;
    }
    return expired;
  }
}

async function record(
  manager: EntityManager,
  row: WaitingRow,
  decisions: readonly CallDecision[],
): Promise<ApprovalResult> {
  const pending = row.pending_calls ?? [];
  const named = decisions.map((decision) => decision.call);
  const unknown = named.filter(
    (call, index) => named.indexOf(call) !== index || !pending.some((waiting) => waiting.call === call),
  );
  if (unknown.length > 0) return { kind: 'unknown_calls', calls: unknown };
  const wrong = decisions.filter((decision) =>
    pending.some((waiting) => waiting.call === decision.call && !fits(decision, waiting)),
  );
  if (wrong.length > 0) return { kind: 'wrong_kind', calls: wrong.map((decision) => decision.call) };
  await insertFacts(manager, row, decisions);
  const left = pending.filter((waiting) => !named.includes(waiting.call));
  const isRunnable = left.length === 0;
  await queryRows(
    manager,
    `UPDATE execution SET pending_calls = $2, status = CASE WHEN $3 THEN 'queued' ELSE status END,
            approval_expires_at = CASE WHEN $3 THEN NULL ELSE approval_expires_at END
      WHERE id = $1 RETURNING id`,
    [row.id, isRunnable ? null : JSON.stringify(left), isRunnable],
  );
  return { kind: 'decided', isRunnable };
}

/** Calls that an older release parked ask for approval without saying so. */
function fits(decision: CallDecision, waiting: Partial<Pick<PendingCall, 'asks'>>): boolean {
  return (waiting.asks === 'outcome') === 'report' in decision;
}

function toFact(decision: CallDecision): JournalEntry {
  const { scope, ...at } = parseCallName(decision.call);
  const { reason } = decision;
  const call = { ...at, ...(scope !== ROOT && { scope }) };
  if ('report' in decision) return { kind: 'outcome_reported', ...call, report: decision.report, reason };
  return { kind: 'approval_decided', ...call, approved: decision.approved, reason };
}

async function insertFacts(
  manager: EntityManager,
  row: WaitingRow,
  decisions: readonly CallDecision[],
): Promise<void> {
  const facts = decisions.map(toFact).map((entry, index) => {
    const { kind, scope = ROOT, ...data } = entry;
    return { offset: index + 1, version: versionOf(entry), kind, scope, data: toStorableJson(data) };
  });
  await queryRows(
    manager,
    `INSERT INTO journal_entry (execution_id, sequence, tenant_id, epoch, version, kind, scope, data)
     SELECT $1, (SELECT coalesce(max(sequence), 0) FROM journal_entry WHERE execution_id = $1) + fact."offset", $2, $3,
            fact.version, fact.kind, fact.scope, fact.data
       FROM jsonb_to_recordset($4::jsonb) AS fact ("offset" int, version int, kind text, scope text, data jsonb)`,
    [row.id, row.tenant_id, row.epoch, JSON.stringify(facts)],
  );
}
