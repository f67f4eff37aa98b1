import type { UsageRecord } from '#libs/agent-core';
import {
  SummaryStore,
  type ClaimedSummary,
  type DueSummary,
  type MessageRange,
  type NewSummary,
  type StoredMessage,
  type SummaryDispatchOptions,
} from '#libs/executions';
import { toStorableJson } from '#libs/kernel';
import type { DataSource } from 'typeorm';
import { queryRows } from '../sql.js';
import { MESSAGE_COLUMNS, MESSAGE_OBJECT } from '../executions/stored-context.js';
import {
  ANNOUNCE_CALL_SQL,
  CLAIM_SUMMARY_SQL,
  COMPLETE_SUMMARY_SQL,
  PUT_OFF_SUMMARY_SQL,
  TAKE_SUMMARIES_SQL,
} from './summary-sql.js';
import { toUsageRow } from '../executions/usage-rows.js';

/** Summaries of conversations and the orders for them (docs/guides/sessions.md). */
export class SessionSummaryStore extends SummaryStore {
  constructor(private readonly dataSource: DataSource) {
    super();
  }

  override take({ limit, redispatchAfterMs }: SummaryDispatchOptions): Promise<readonly DueSummary[]> {
    return queryRows<DueSummary>(this.dataSource, TAKE_SUMMARIES_SQL, [limit, redispatchAfterMs]);
  }

  override async requeue(due: readonly DueSummary[]): Promise<void> {
    const sql = `UPDATE session_summary_order SET dispatched_at = NULL WHERE session_id = ANY($1::uuid[])`;
    await queryRows(this.dataSource, sql, [due.map(({ sessionId }) => sessionId)]);
  }

  override async claim(sessionId: string, token: string, leaseMs: number): Promise<ClaimedSummary | null> {
    const parameters = [sessionId, token, leaseMs];
    const [row] = await queryRows<ClaimedSummary>(this.dataSource, CLAIM_SUMMARY_SQL, parameters);
    return row ?? null;
  }

  override async readMessages(
    { sessionId, tenantId }: Pick<ClaimedSummary, 'sessionId' | 'tenantId'>,
    { end, fromTurn, beforeTurn, limit }: MessageRange,
  ): Promise<readonly StoredMessage[]> {
    const direction = end === 'oldest' ? '' : 'DESC';
    const rows = await queryRows<{ message: StoredMessage }>(
      this.dataSource,
      `SELECT ${MESSAGE_OBJECT} AS message FROM (
         SELECT ${MESSAGE_COLUMNS} FROM chat_message
          WHERE session_id = $1 AND tenant_id = $2 AND role <> 'system' AND turn_number >= $3
            AND turn_number < coalesce($4::int, 2147483647)
          ORDER BY turn_number ${direction}, ordinal ${direction} LIMIT $5
       ) part ORDER BY turn_number, ordinal`,
      [sessionId, tenantId, fromTurn, beforeTurn, limit],
    );
    return rows.map(({ message }) => message);
  }

  override async announceCall(
    { sessionId, token, agentId, executionId }: ClaimedSummary,
    unknown: UsageRecord,
  ): Promise<boolean> {
    const usage = JSON.stringify([toStorableJson(toUsageRow(unknown))]);
    const parameters = [sessionId, token, agentId, usage, executionId];
    return (await queryRows(this.dataSource, ANNOUNCE_CALL_SQL, parameters)).length > 0;
  }

  override async complete(
    { sessionId, token, executionId, firstTurn, version, model }: ClaimedSummary,
    { content, tokens, throughTurn, isMore }: NewSummary,
    usage: UsageRecord,
  ): Promise<boolean> {
    const made = JSON.stringify({ content, tokens, through_turn: throughTurn, version, model });
    const parameters = [sessionId, token, executionId, rowOf(usage), firstTurn, made, isMore];
    return (await queryRows(this.dataSource, COMPLETE_SUMMARY_SQL, parameters)).length > 0;
  }

  override async putOff(
    { sessionId, token, executionId }: ClaimedSummary,
    usage: UsageRecord | null,
    delayMs: number | null,
  ): Promise<void> {
    const parameters = [sessionId, token, executionId, usage && rowOf(usage), delayMs];
    await queryRows(this.dataSource, PUT_OFF_SUMMARY_SQL, parameters);
  }
}

/** Whether a summary could have been made for so long, and nobody has taken it up. */
export async function isSummaryOverdue(
  manager: Pick<DataSource, 'query'>,
  { forMs }: { readonly forMs: number },
): Promise<boolean> {
  const rows = await queryRows(
    manager,
    `SELECT 1 FROM session_summary_order
      WHERE greatest(due_at, coalesce(lease_expires_at, due_at)) < now() - $1 * interval '1 millisecond' LIMIT 1`,
    [forMs],
  );
  return rows.length > 0;
}

function rowOf(usage: UsageRecord): string {
  return JSON.stringify(toStorableJson(toUsageRow(usage)));
}
