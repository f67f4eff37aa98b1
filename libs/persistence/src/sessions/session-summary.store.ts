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
import { And, LessThan, MoreThanOrEqual, Not, type DataSource, type Repository } from 'typeorm';
import { ChatMessageEntity } from '../entities/chat-message.entity.js';
import { queryRows } from '../sql.js';
import {
  ANNOUNCE_CALL_SQL,
  CLAIM_SUMMARY_SQL,
  COMPLETE_SUMMARY_SQL,
  PUT_OFF_SUMMARY_SQL,
  TAKE_SUMMARIES_SQL,
} from './summary-sql.js';
import { toUsageRow } from '../executions/usage-rows.js';

/**
 * Summaries of conversations and the orders for them (docs/guides/sessions.md). Orders are SQL: each statement takes, claims
 * or ends an order together with its summary and its usage, and skips rows that another process holds.
 */
export class SessionSummaryStore extends SummaryStore {
  private readonly messages: Repository<ChatMessageEntity>;

  constructor(private readonly dataSource: DataSource) {
    super();
    this.messages = dataSource.getRepository(ChatMessageEntity);
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
    const from = MoreThanOrEqual(fromTurn);
    const turnNumber = beforeTurn === null ? from : And(from, LessThan(beforeTurn));
    const direction = end === 'oldest' ? 'ASC' : 'DESC';
    const messages = await this.messages.find({
      where: { sessionId, tenantId, role: Not('system'), turnNumber },
      order: { turnNumber: direction, ordinal: direction },
      take: limit,
    });
    return (end === 'oldest' ? messages : messages.reverse()).map(toStoredMessage);
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

/** True where a summary has been due and unclaimed for `forMs` milliseconds. */
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

function toStoredMessage(message: ChatMessageEntity): StoredMessage {
  const { role, content, data, turnNumber, tokens: count, tokenizer } = message;
  const tokens = count === null || tokenizer === null ? null : { count, tokenizer };
  return { role, content, data, turnNumber, tokens };
}
