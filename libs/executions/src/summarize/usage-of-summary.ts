import type { ModelAnswer, ModelCallError, UsageRecord } from '#libs/agent-core';
import type { ResolvedModel } from '../ports/model-factory.js';
import type { ClaimedSummary } from '../ports/summary-store.js';

/** Of a call that is about to be made: who dies now has spent nobody knows what. */
export function announced({ version, tryNumber, model }: ClaimedSummary): UsageRecord {
  return {
    ...{ scope: '', purpose: 'summary', round: version, tryNumber, agentId: null, model },
    ...{ state: 'unknown', responseId: null, tokens: null, costUsd: null },
  };
}

/** Of one that was answered. */
export function answered(
  claimed: ClaimedSummary,
  { model, responseId, usage: tokens }: ModelAnswer,
  costOf: ResolvedModel['costOf'],
): UsageRecord {
  const state = tokens === null ? 'unknown' : 'known';
  return { ...announced(claimed), state, model, responseId, tokens, costUsd: costOf(tokens) };
}

/** Of one that failed: what it has cost all the same, where that was reported. */
export function failed(
  claimed: ClaimedSummary,
  { spent }: Pick<ModelCallError, 'spent'>,
  costOf: ResolvedModel['costOf'],
): UsageRecord {
  const record: UsageRecord = { ...announced(claimed), state: 'failed' };
  if (spent === null) return record;
  const { usage: tokens, responseId, model } = spent;
  return { ...record, model: model ?? record.model, responseId, tokens, costUsd: costOf(tokens) };
}
