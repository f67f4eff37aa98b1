import type { ModelAnswer, ModelCallError, UsageRecord } from '#libs/agent-core';
import type { ResolvedModel } from '../ports/model-factory.js';

/** A call of a model that an execution brings about beside its loop, such as the one for a title. */
export interface CallBesideLoop {
  readonly purpose: string;
  /** From 1. */
  readonly tryNumber: number;
  /** The model that was asked. */
  readonly model: string;
}

/** What came of it: an answer, a failure, or `given_up` when its time was over. */
type CallEnding = ModelAnswer | ModelCallError | 'given_up';

/** What one such call has cost. */
export function usageBesideLoop(
  call: CallBesideLoop,
  ending: CallEnding,
  costOf: ResolvedModel['costOf'],
): UsageRecord {
  const unknown = unknownUsage(call);
  if (ending === 'given_up') return unknown;
  if (!(ending instanceof Error)) {
    const { model, responseId, usage: tokens } = ending;
    const state = tokens === null ? 'unknown' : 'known';
    return { ...unknown, state, model, responseId, tokens, costUsd: costOf(tokens) };
  }
  const { spent } = ending;
  const tokens = spent?.usage ?? null;
  return {
    ...unknown,
    state: 'failed',
    model: spent?.model ?? call.model,
    responseId: spent?.responseId ?? null,
    tokens,
    costUsd: tokens === null ? null : costOf(tokens),
  };
}

/** Of a call that nobody can say anything of: it was given up, or its worker was lost. */
export function unknownUsage({ purpose, tryNumber, model }: CallBesideLoop): UsageRecord {
  const call = { scope: '', purpose, round: 0, agentId: null, tryNumber } as const;
  return { ...call, state: 'unknown', model, responseId: null, tokens: null, costUsd: null };
}
