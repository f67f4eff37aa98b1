import type { ModelAnswer, ModelCallError, UsageRecord } from '#libs/agent-core';
import type { ResolvedModel } from '../ports/model-factory.js';

/** Model call of an execution outside its loop, such as the one that generates a title. */
export interface CallBesideLoop {
  readonly purpose: string;
  /** Counts from 1. */
  readonly tryNumber: number;
  readonly model: string;
}

/** Ending of the call; `given_up` means that its time limit passed. */
type CallEnding = ModelAnswer | ModelCallError | 'given_up';

/** Usage record of one call outside the loop. */
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

/** Usage of a call with unknown cost: it timed out, or its worker was lost. */
export function unknownUsage({ purpose, tryNumber, model }: CallBesideLoop): UsageRecord {
  const call = { scope: '', purpose, round: 0, agentId: null, tryNumber } as const;
  return { ...call, state: 'unknown', model, responseId: null, tokens: null, costUsd: null };
}
