import type { Settlement } from '#libs/agent-core';
import type { Claim } from '#libs/executions';
import { asStorableJson, toStorableText } from '#libs/kernel';
import type { AdditionalData, ExecutionUsage } from '#libs/payloads';
import type { ExecutionResultRow } from './execution-view.mapper.js';

/** Row of `chat_message` without the columns that the settling statement derives. */
export interface MessageRow {
  readonly id: number;
  readonly ordinal: number;
  readonly role: string;
  readonly content: string;
  readonly data: AdditionalData;
  readonly truncated: boolean;
  readonly tokens: number | null;
  readonly tokenizer: string | null;
}

/** Fields that only the settling statement knows. */
export type EndingDetails = Pick<ExecutionResultRow, 'engine_session_id' | 'names_session'>;

/** Uses the ids reserved at the claim, so that the statement need not return them. */
export function toMessageRows(
  { messageIds }: Pick<Claim, 'messageIds'>,
  messages: Settlement['messages'],
): MessageRow[] {
  const ids = messageIds.slice(-messages.length);
  return messages.map(({ role, content, data, truncated, tokens }, ordinal) => {
    const id = ids[ordinal];
    if (id === undefined) throw new Error(`${messages.length} messages, and ids for ${messageIds.length}`);
    const storable = asStorableJson(data) as AdditionalData;
    const counted = { tokens: tokens?.count ?? null, tokenizer: tokens?.tokenizer ?? null };
    return { id, ordinal, role, content: toStorableText(content), data: storable, truncated, ...counted };
  });
}

/** The answer among the messages of an execution; undefined without one. */
export function answerOf(messages: readonly MessageRow[]): MessageRow | undefined {
  return messages.find(({ role }) => role === 'assistant');
}

/** The ended execution before it is written; webhooks send it in the same statement. */
export function toEndingRow(
  claim: Claim,
  settlement: Settlement,
  messages: readonly MessageRow[],
  finishedAt: Date,
): Omit<ExecutionResultRow, keyof EndingDetails> {
  const answer = answerOf(messages);
  return {
    id: claim.executionId,
    agent_id: claim.agentId,
    agent_version: claim.accepted.agentVersion,
    session_id: claim.sessionId,
    turn_number: claim.turnNumber,
    status: settlement.status,
    attempt: claim.attempt,
    incomplete_reason: settlement.incompleteReason,
    error: storable(settlement.error),
    usage: storable(toUsage(settlement)),
    execution_metadata: asStorableJson(settlement.metadata) as ExecutionResultRow['execution_metadata'],
    metadata: claim.accepted.metadata,
    created_at: new Date(claim.accepted.createdAtMs),
    started_at: claim.startedAtMs === null ? null : new Date(claim.startedAtMs),
    finished_at: finishedAt,
    restored_at: claim.restoredAtMs === null ? null : new Date(claim.restoredAtMs),
    pending_calls: null,
    approval_expires_at: null,
    late_evidence: null,
    waiting_for: null,
    head_since: null,
    due_at: null,
    deadline_at: null,
    num_turns: settlement.turns,
    message_id: answer?.id ?? null,
    message_content: answer?.content ?? null,
    message_data: answer?.data ?? null,
    message_truncated: answer?.truncated ?? null,
  };
}

function toUsage(settlement: Settlement): ExecutionUsage {
  const { totalTokens, unknownCalls, retrieval, totalCostUsd: total_cost_usd } = settlement;
  return {
    input_tokens: totalTokens?.input_tokens ?? null,
    output_tokens: totalTokens?.output_tokens ?? null,
    total_tokens: totalTokens?.total_tokens ?? null,
    total_cost_usd,
    ...(unknownCalls > 0 && { unknown_calls: unknownCalls }),
    ...(retrieval && { retrieval }),
  };
}

/** Storable value: text without NUL and lone surrogates, numbers without NaN and infinity. */
function storable<T>(value: T): T {
  return asStorableJson(value) as T;
}
